import JSONText
import Packing

extension Verb {
  static let packDiff = Verb(
    words: ["pack", "diff"], summary: "Show what changes between two archives of a pack, and what an update costs.",
    positionals: "OLD.aar NEW.aar", count: 2...2,
    options: Verb.Option.limits + [
      .flag("json", "Print the differences as JSON."), .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details: """
      Exit code 0 when content and manifest are equal, 1 when they differ, 65 when an archive cannot be read.
      Compression, times and the packer's version do not count. Devices download the whole new archive at an update.
      """
  ) { arguments throws(CommandFailure) in
    let limits = try arguments.limits()
    let comparison = try packing { () throws(PackingFailure) in
      try PackComparison(arguments.positionals[0], arguments.positionals[1], limits: limits)
    }
    if arguments.has("json") {
      Output.write(comparison.json)
    } else if !arguments.has("quiet") {
      Output.write(comparison.text)
    }
    if !comparison.isEqual { throw CommandFailure("", .difference) }
  }
}
