import JSONText
import PackStore

extension Verb {
  static let verify = Verb(
    words: ["verify"], summary: "Read every pack of the server and compare it with the catalog.",
    options: StateFolder.options + [
      .value("repair", "DIR", "A folder of backups, from which damaged packs are put right."),
      .flag("dry-run", "Only look: quarantine nothing."),
      .flag("json", "Print what was found as JSON."),
    ],
    details: """
      A damaged file goes to the state folder's quarantine/ and is never served: its address answers 503, and it stays
      in the manifests, so that no device deletes it. A running server is told. Exits with 65 when something is wrong.
      """
  ) { arguments throws(CommandFailure) in try verifyStore(arguments) }

  private static func verifyStore(_ arguments: Arguments) throws(CommandFailure) {
    let options = try StateFolder.options(arguments)
    let changes = !arguments.has("dry-run")
    guard changes || arguments.value("repair") == nil else {
      throw CommandFailure("Give --repair or --dry-run, not both.", .usage)
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
        "Something is damaged. Push the same archives again, or put them right with --repair and a folder of backups.",
        .dataError)
    }
  }

  private static func text(_ report: VerificationReport) -> String {
    var text = "\(report.blobs) files (\(TextTable.bytes(Int(clamping: report.bytes)))) looked at\n"
    for damage in report.damaged {
      text += "\(damage.sha256): \(damage.fault)\(damage.isRepaired ? "; put right" : "")"
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
