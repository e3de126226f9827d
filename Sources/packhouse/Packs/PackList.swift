import AppleArchive
import JSONText
import Packing

extension Verb {
  static let packList = Verb(
    words: ["pack", "list"], summary: "List the paths in an archive, one a line.", positionals: "FILE.aar",
    count: 1...1,
    options: Verb.Option.limits + [
      .flag("json", "Print paths, types and sizes as JSON; paths are then as they are."),
      .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details:
      "Control characters are escaped, and a backslash is \\\\. The whole archive is read and must be well formed."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let limits = try arguments.limits()
    let listing = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      do throws(ArchiveFailure) { return try EntryListing(file, limits: limits) } catch {
        throw CommandFailure(PackingFailure.archive(file: path, error))
      }
    }
    if arguments.has("json") {
      Output.write(listing.json)
    } else if !arguments.has("quiet") {
      Output.write(listing.text)
    }
  }
}
