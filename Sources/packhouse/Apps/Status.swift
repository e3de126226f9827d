import JSONText

extension Verb {
  static let status = Verb(
    words: ["status"], summary: "Show what is live, what is being processed and what was refused.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only this app."), .flag("json", "Print it as JSON."),
    ]
  ) { arguments throws(CommandFailure) in try showStatus(arguments) }

  private static func showStatus(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    let apps =
      if let bundleID = arguments.value("app") { [try client.app(bundleID).resource] } else {
        try client.list("v1/apps")
      }
    var reports: [JSONValue] = []
    for app in apps { reports.append(try report(app, client)) }
    if arguments.has("json") { return Output.write(["apps": .array(reports)]) }
    if reports.isEmpty { Output.write("The server has no apps yet.\n") }
    for report in reports { Output.write(text(report)) }
  }

  /// One app: its tracks with what is live, and its packs with their versions.
  private static func report(_ app: JSONValue, _ client: AdminClient) throws(CommandFailure) -> JSONValue {
    guard let id = app["id"]?.string else { return .null }
    let tracks = try client.list("v1/apps/\(id)/tracks").map { track -> JSONValue in
      [
        "track": track["id"] ?? .null, "manifestURL": track["attributes"]?["manifestURL"] ?? .null,
        "packs": track["attributes"]?["packs"] ?? [],
      ]
    }
    var packs: [JSONValue] = []
    for pack in try client.list("v1/apps/\(id)/backgroundAssets") {
      guard let packID = pack["id"]?.string else { continue }
      let versions = try client.versions(pack: packID).map { version -> JSONValue in
        var object = version["attributes"]?.object ?? JSONObject()
        object.set("id", version["id"] ?? .null)
        return .object(object)
      }
      packs.append([
        "assetPackIdentifier": pack["attributes"]?["assetPackIdentifier"] ?? .null,
        "usedBytes": pack["attributes"]?["usedBytes"] ?? .null, "versions": .array(versions),
      ])
    }
    return [
      "bundleId": app["attributes"]?["bundleId"] ?? .null, "tracks": .array(tracks), "packs": .array(packs),
    ]
  }

  private static func text(_ report: JSONValue) -> String {
    var lines = [report["bundleId"]?.string ?? ""]
    for track in report["tracks"]?.array ?? [] {
      let packs = track["packs"]?.array ?? []
      lines.append("  \(track["track"]?.string ?? "")  \(track["manifestURL"]?.string ?? "")")
      if packs.isEmpty { lines.append("    nothing is live") }
      for pack in packs {
        lines.append(
          row(pack["assetPackIdentifier"], pack["version"], pack["state"], "\(pack["downloadSize"]?.int ?? 0) bytes"))
      }
    }
    let others = (report["packs"]?.array ?? []).flatMap { pack in
      (pack["versions"]?.array ?? []).filter { $0["state"]?.string != "COMPLETE" }.map { version in
        let reason = version["stateDetails"]?["errors"]?.array?.first?["description"]?.string ?? ""
        return row(pack["assetPackIdentifier"], version["version"], version["state"], reason)
      }
    }
    if !others.isEmpty { lines += ["  not complete"] + others }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ pack: JSONValue?, _ version: JSONValue?, _ state: JSONValue?, _ rest: String) -> String {
    let columns = [(pack?.string ?? "", 28), ("version \(version?.string ?? "")", 14), (state?.string ?? "", 26)]
    let padded = columns.map { text, width in text + String(repeating: " ", count: max(1, width - text.count)) }
    return "    \(padded.joined())\(rest)"
  }
}
