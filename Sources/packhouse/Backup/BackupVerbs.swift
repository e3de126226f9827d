import Daemon
import Glibc
import JSONText
import PackStore
import SystemIO

extension Verb {
  static let backup = Verb(
    words: ["backup"], summary: "Back up the catalog and every pack to a folder, while the server runs.",
    options: StateFolder.options + [
      .value("to", "DIR", "The folder for backups, on another disk; created if missing."),
      .value("keep", "N", "How many backups to keep, including this one (7)."),
      .flag("json", "Print what was copied as JSON."),
    ],
    details: """
      A backup is a snapshot of one moment. Packs in an earlier backup of the folder are not copied again. Exits with
      65 when a pack is damaged; everything else is still backed up.
      """
  ) { arguments throws(CommandFailure) in try makeBackup(arguments) }

  private static func makeBackup(_ arguments: Arguments) throws(CommandFailure) {
    let folder = try arguments.required("to")
    let keep = arguments.value("keep").map { Int($0) } ?? 7
    guard let keep, (1...10_000).contains(keep) else {
      throw CommandFailure(
        "--keep must be a whole number from 1 to 10000, not \(arguments.value("keep") ?? "").", .usage)
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
        "\(report.entry.catalog): \(report.copiedBlobs) files copied (\(copied)), \(report.sharedBlobs) already there\n"
      )
    }
    guard report.entry.damaged.isEmpty else {
      throw CommandFailure(
        "Damaged and not backed up: \(report.entry.damaged.joined(separator: ", ")). "
          + "Run packhouse verify, and push these packs again.", .dataError)
    }
  }
}

extension Verb {
  static let restore = Verb(
    words: ["restore"], summary: "Restore a state folder from a backup.",
    options: [
      .value("from", "DIR", "The folder of backups."),
      .value("to", "DIR", "The state folder; must be empty or not exist."),
      .value("backup", "NAME", "The name of the backup's catalog (the newest)."),
      .value("gap", "N", "How far every pack's version counter is moved ahead (1000)."),
      .flag("json", "Print what was restored as JSON."),
    ],
    details: """
      Devices may have versions that are newer than the backup. The counters are moved ahead so that those numbers are
      never reused; push and release what is missing. Exits with 65 when a pack in the backup is damaged; everything
      else is still restored.
      """
  ) { arguments throws(CommandFailure) in try restoreBackup(arguments) }

  private static func restoreBackup(_ arguments: Arguments) throws(CommandFailure) {
    let source = try arguments.required("from")
    let folder = try arguments.required("to")
    let gap = arguments.value("gap").map { Int($0) } ?? 1000
    guard let gap, (0...1_000_000_000).contains(gap) else {
      throw CommandFailure(
        "--gap must be a whole number from 0 to 1000000000, not \(arguments.value("gap") ?? "").", .usage)
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
        "Damaged in the backup: \(report.damaged.joined(separator: ", ")). Their versions stay in the manifests and "
          + "are answered with 503 until the same archives are pushed again.", .dataError)
    }
  }
}

extension Verb {
  static let verify = Verb(
    words: ["verify"], summary: "Check every stored pack against the catalog.",
    options: StateFolder.options + [
      .value("repair", "DIR", "A folder of backups to repair damaged packs from."),
      .flag("dry-run", "Only report; move nothing to quarantine."),
      .flag("json", "Print what was found as JSON."),
    ],
    details: """
      A damaged file is moved to quarantine/ in the state folder and never served: its URL answers 503, and it stays in
      the manifests so that no device deletes it. A running server is notified. Exits with 65 when something is wrong.
      """
  ) { arguments throws(CommandFailure) in try verifyStore(arguments) }

  private static func verifyStore(_ arguments: Arguments) throws(CommandFailure) {
    let options = try StateFolder.options(arguments)
    let changes = !arguments.has("dry-run")
    guard changes || arguments.value("repair") == nil else {
      throw CommandFailure("Pass --repair or --dry-run, not both.", .usage)
    }
    let report: VerificationReport
    do throws(StoreFailure) {
      report = try PackStore(options).verify(changes: changes, repairFrom: arguments.value("repair"))
    } catch {
      throw CommandFailure(error.sentence, .inputOutput)
    }
    if changes, !report.damaged.isEmpty || !report.recovered.isEmpty { _ = StateFolder.tellDaemon(options.folder) }
    arguments.has("json") ? Output.write(json(report)) : Output.write(text(report))
    guard report.isIntact else {
      throw CommandFailure(
        "Something is damaged. Push the same archives again, or repair it with --repair and a folder of backups.",
        .dataError)
    }
  }

  private static func text(_ report: VerificationReport) -> String {
    var text = "\(report.blobs) files (\(TextTable.bytes(Int(clamping: report.bytes)))) checked\n"
    for damage in report.damaged {
      text += "\(damage.sha256): \(damage.fault)\(damage.isRepaired ? "; repaired" : "")"
      text += " (\(damage.versions.joined(separator: "; ")))\n"
    }
    for sha256 in report.recovered { text += "\(sha256): intact again\n" }
    for fault in report.catalogFaults { text += "the catalog: \(fault)\n" }
    return text
  }

  private static func json(_ report: VerificationReport) -> JSONValue {
    let damaged = report.damaged.map { damage -> JSONValue in
      [
        "sha256": .string(damage.sha256), "fault": .string(damage.fault), "repaired": .bool(damage.isRepaired),
        "versions": .array(damage.versions.map { .string($0) }),
      ]
    }
    return [
      "blobs": .integer(report.blobs), "bytes": .integer(report.bytes), "damaged": .array(damaged),
      "recovered": .array(report.recovered.map { .string($0) }),
      "catalogFaults": .array(report.catalogFaults.map { .string($0) }),
    ]
  }
}

/// The state folder that a verb on the server's machine works with, beside a daemon that may be running.
enum StateFolder {
  static let options: [Verb.Option] = [
    .value("config", "FILE", "The server's configuration, which names the state folder."),
    .value("state", "DIR", "The state folder itself, such as the one of packhouse dev."),
  ]

  /// How the folder that `--config` or `--state` names is opened.
  static func options(_ arguments: Arguments) throws(CommandFailure) -> StoreOptions {
    var options: StoreOptions
    if let folder = arguments.value("state") {
      // No manifest is made here, so that the base of its links does not matter.
      options = StoreOptions(folder: folder, publicBaseURL: "https://localhost")
    } else {
      let path = try arguments.required("config")
      let settings: ServiceSettings
      do throws(DaemonFailure) { settings = try ServeProgram.settings(path) } catch { throw CommandFailure(error) }
      options = StoreOptions(folder: settings.stateDirectory, publicBaseURL: settings.publicBaseURL)
    }
    options.takesLock = false
    return options
  }

  /// Has a daemon that runs on the folder look at the catalog again; whether there is one that was told.
  static func tellDaemon(_ folder: String) -> Bool {
    guard let process = LockFile.holder("\(folder)/packhouse.lock"), process > 0 else { return false }
    return kill(process, SIGHUP) == 0
  }
}
