import AppleArchive
import JSONText
import Packing

extension Verb {
  static let packInspect = Verb(
    words: ["pack", "inspect"], summary: "List what an archive holds and check that it is well formed.",
    positionals: "FILE.aar", count: 1...1,
    options: Verb.Option.limits + [
      .flag("json", "Print everything as JSON."), .flag("quiet", "Print nothing; the exit code tells."),
    ],
    details: """
      What only a policy forbids (programs, links inside the pack, no manifest) is a warning here.
      - in the place of the archive is standard input.
      """
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let limits = try arguments.limits()
    let report = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      do throws(ArchiveFailure) { return try PackReport(file, limits: limits) } catch {
        if arguments.has("json") {
          Output.write(["errors": [["code": .string(error.code), "description": .string(error.sentence)]]])
        }
        throw CommandFailure(PackingFailure.archive(file: path, error))
      }
    }
    if arguments.has("json") {
      Output.write(report.json)
    } else if !arguments.has("quiet") {
      Output.write(report.text)
    }
  }
}
