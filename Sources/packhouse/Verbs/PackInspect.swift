import AppleArchive
import JSONText
import Packing
import SystemIO

extension Verb {
  static let packInspect = Verb(
    words: ["pack", "inspect"], summary: "List what an archive holds and check that it is well formed.",
    positionals: "FILE.aar", count: 1...1, options: [.flag("json", "Print everything as JSON.")],
    details: "What only a policy forbids (programs, links inside the pack, no manifest) is a warning here."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let file: ArchiveFile
    do throws(SystemFailure) { file = try ArchiveFile(path) } catch { throw CommandFailure(error.sentence, .noInput) }
    do throws(ArchiveFailure) {
      let report = try PackReport(file)
      if arguments.has("json") { Output.write(report.json) } else { Output.write(report.text) }
    } catch {
      if arguments.has("json") {
        Output.write(["errors": [["code": .string(error.code), "description": .string(error.sentence)]]])
      }
      throw CommandFailure(PackingFailure.archive(file: path, error))
    }
  }
}
