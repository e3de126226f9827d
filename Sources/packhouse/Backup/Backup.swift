import JSONText
import PackStore
import SystemIO

extension Verb {
  static let backup = Verb(
    words: ["backup"], summary: "Copy the catalog and every pack to a folder, beside a server that works.",
    options: StateFolder.options + [
      .value("to", "DIR", "The folder of backups, on another disk; made when it is not there."),
      .value("keep", "N", "How many backups stay in it, this one included (7)."),
      .flag("json", "Print what was copied as JSON."),
    ],
    details: """
      A backup is as of one moment. Packs that an earlier backup in the folder has are not copied again. Exits with
      65 when a pack is damaged; all else is backed up then too.
      """
  ) { arguments throws(CommandFailure) in try makeBackup(arguments) }

  private static func makeBackup(_ arguments: Arguments) throws(CommandFailure) {
    let folder = try arguments.required("to")
    let keep = arguments.value("keep").map { Int($0) } ?? 7
    guard let keep, (1...10_000).contains(keep) else {
      throw CommandFailure("--keep \(arguments.value("keep") ?? "") is none; expected 1 to 10000.", .usage)
    }
    let options = try StateFolder.options(arguments)
    let report: BackupReport
    do throws(StoreFailure) {
      report = try PackStore(options).backup(to: folder, keep: keep)
    } catch {
      throw CommandFailure(error.sentence, .inputOutput)
    }
    if arguments.has("json") {
      Output.write([
        "backup": .string(report.entry.catalog), "copiedBlobs": .integer(report.copiedBlobs),
        "copiedBytes": .integer(report.copiedBytes), "sharedBlobs": .integer(report.sharedBlobs),
        "dropped": .array(report.dropped.map { .string($0) }),
        "damaged": .array(report.entry.damaged.map { .string($0) }),
      ])
    } else {
      let copied = TextTable.bytes(Int(clamping: report.copiedBytes))
      Output.write(
        "\(report.entry.catalog): \(report.copiedBlobs) files copied (\(copied)), \(report.sharedBlobs) were there\n")
    }
    guard report.entry.damaged.isEmpty else {
      throw CommandFailure(
        "Damaged and in no backup: \(report.entry.damaged.joined(separator: ", ")). "
          + "Run packhouse verify, and push these packs again.", .dataError)
    }
  }
}
