import JSONText
import PackStore

/// What `packhouse release --preview` shows.
struct ReleasePreviewText {
  /// The options of a preview.
  static let options: [Verb.Option] = [
    .flag("preview", "Only show what it would cost devices; nothing is released."),
    .value(
      "allowance", "KEY=SIZE",
      "With --preview: a number of the app's Info.plist, such as BADownloadAllowance=500MB, to compare with.",
      repeats: true),
  ]

  /// The attribute `allowances` of the request, from `--allowance`.
  static func allowances(_ arguments: Arguments) throws(CommandFailure) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for text in arguments.all("allowance") {
      let pieces = text.split(separator: "=", maxSplits: 1).map { String($0) }
      guard pieces.count == 2, let bytes = ByteText.parse(pieces[1]) else {
        throw CommandFailure(
          "--allowance \(text): expected KEY=SIZE, such as BADownloadAllowance=500MB.", .usage)
      }
      members.append((pieces[0], .integer(bytes)))
    }
    return .object(JSONObject(members))
  }

  let attributes: JSONValue

  /// What the release would end with; nil when it would not be refused.
  var refusal: CommandFailure? {
    guard let refusal = attributes["refusal"], let code = refusal["code"]?.string else { return nil }
    let exitCode = RefusalCode(rawValue: code)?.exitCode ?? .dataError
    return CommandFailure("The release would be refused: \(refusal["detail"]?.string ?? "")", exitCode, code: code)
  }

  var text: String {
    var table = TextTable([
      .init(heading: "platform"), .init(heading: "policy"), .init(heading: "first installation", isNumber: true),
      .init(heading: "unpacked", isNumber: true), .init(heading: "update", isNumber: true),
      .init(heading: "unpacked", isNumber: true),
    ])
    for device in attributes["devices"]?.array ?? [] {
      for policy in ["essential", "prefetch", "onDemand"] {
        let first = device["firstInstallation"]?[policy]
        let update = device["update"]?[policy]
        guard first?["packs"]?.int != 0 || update?["packs"]?.int != 0 else { continue }
        table.add([
          device["platform"]?.string ?? "", policy, bytes(first?["downloadBytes"]), bytes(first?["installBytes"]),
          bytes(update?["downloadBytes"]), bytes(update?["installBytes"]),
        ])
      }
    }
    var text = packs + "\n" + table.text
    let checks = (attributes["devices"]?.array ?? []).flatMap { device in
      (device["allowances"]?.array ?? []).map { check in
        "\(device["platform"]?.string ?? "")  \(check["key"]?.string ?? ""): \(bytes(check["needed"])) of "
          + "\(bytes(check["allowed"]))\(check["fits"]?.bool == true ? "" : "  TOO MUCH")\n"
      }
    }
    if !checks.isEmpty { text += "\n" + checks.joined() }
    for warning in attributes["warnings"]?.array ?? [] where warning["refuses"]?.bool != true {
      text += "\nwarning: \(warning["description"]?.string ?? "") (\(warning["code"]?.string ?? ""))\n"
    }
    return text
  }

  private var packs: String {
    (attributes["packs"]?.array ?? []).map { pack in
      let previous = pack["previousVersion"]?.string.map { "version \($0)" } ?? "nothing"
      return "\(pack["assetPackIdentifier"]?.string ?? ""): \(previous) -> version \(pack["version"]?.string ?? ""), "
        + "\(bytes(pack["downloadSize"])), \(pack["downloadPolicy"]?.string ?? "")\n"
    }.joined()
  }

  private func bytes(_ value: JSONValue?) -> String { TextTable.bytes(value?.int ?? 0) }
}
