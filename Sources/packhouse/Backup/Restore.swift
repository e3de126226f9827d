import JSONText
import PackStore

extension Verb {
  static let restore = Verb(
    words: ["restore"], summary: "Make a state folder from a backup.",
    options: [
      .value("from", "DIR", "The folder of backups."),
      .value("to", "DIR", "The state folder; must be empty or not there."),
      .value("backup", "NAME", "A backup by its catalog's name (the newest)."),
      .value("gap", "N", "How far the version counter of every pack goes ahead (1000)."),
      .flag("json", "Print what was restored as JSON."),
    ],
    details: """
      Devices may have got versions that were made after the backup. Their numbers are never used again, because the
      counters go ahead; push and release what is missing, and devices take it. Exits with 65 when the backup does not
      have a pack intact; all else is restored then too.
      """
  ) { arguments throws(CommandFailure) in try restoreBackup(arguments) }

  private static func restoreBackup(_ arguments: Arguments) throws(CommandFailure) {
    let source = try arguments.required("from")
    let folder = try arguments.required("to")
    let gap = arguments.value("gap").map { Int($0) } ?? 1000
    guard let gap, (0...1_000_000_000).contains(gap) else {
      throw CommandFailure("--gap \(arguments.value("gap") ?? "") is none; expected 0 to 1000000000.", .usage)
    }
    let report: RestoreReport
    do throws(StoreFailure) {
      report = try PackStore.restore(from: source, to: folder, catalog: arguments.value("backup"), gap: gap)
    } catch {
      switch error {
      case .backupUnusable: throw CommandFailure(error.sentence, .noInput)
      case .folderNotEmpty: throw CommandFailure(error.sentence, .cannotCreate)
      default: throw CommandFailure(error.sentence, .inputOutput)
      }
    }
    if arguments.has("json") {
      Output.write([
        "backup": .string(report.entry.catalog), "blobs": .integer(report.blobs), "bytes": .integer(report.bytes),
        "damaged": .array(report.damaged.map { .string($0) }),
      ])
    } else {
      let bytes = TextTable.bytes(Int(clamping: report.bytes))
      Output.write("\(report.entry.catalog): \(report.blobs) files (\(bytes)) restored to \(folder)\n")
    }
    guard report.damaged.isEmpty else {
      throw CommandFailure(
        "The backup does not have intact: \(report.damaged.joined(separator: ", ")). Their versions stay in the "
          + "manifests and are answered with 503 until the same archives are pushed again.", .dataError)
    }
  }
}
