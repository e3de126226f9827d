import JSONText

extension Verb {
  static let packs = Verb(
    words: ["packs"], summary: "List an app's packs on the server.",
    options: AdminClient.options + [.value("app", "BUNDLE_ID", "The app."), .flag("json", "Print them as JSON.")]
  ) { arguments throws(CommandFailure) in
    let client = try AdminClient(arguments)
    let app = try client.app(try arguments.required("app")).id
    let packs = try client.list("v1/apps/\(app)/backgroundAssets")
    if arguments.has("json") { return Output.write(["packs": .array(packs.map(flattened))]) }
    let live = try liveNumbers(client, app: app)
    var table = TextTable(
      [.init(heading: "pack"), .init(heading: "used", isNumber: true)]
        + tracks.map { .init(heading: $0, isNumber: true) } + [.init(heading: "")])
    for pack in packs {
      let name = pack["attributes"]?["assetPackIdentifier"]?.string ?? ""
      table.add(
        [name, TextTable.bytes(pack["attributes"]?["usedBytes"]?.int ?? 0)]
          + tracks.map { live["\($0) \(name)"] ?? "-" }
          + [pack["attributes"]?["archived"]?.bool == true ? "archived" : ""])
    }
    Output.write(packs.isEmpty ? "The app has no pack yet.\n" : table.text)
  }

  static let versions = Verb(
    words: ["versions"], summary: "List the versions of an app's packs on the server.", positionals: "[PACK…]",
    count: 0...1000,
    options: AdminClient.options + [.value("app", "BUNDLE_ID", "The app."), .flag("json", "Print them as JSON.")]
  ) { arguments throws(CommandFailure) in
    let client = try AdminClient(arguments)
    let bundleID = try arguments.required("app")
    let all = try client.list("v1/apps/\(try client.app(bundleID).id)/backgroundAssets")
    let names = all.map { $0["attributes"]?["assetPackIdentifier"]?.string ?? "" }
    if let unknown = arguments.positionals.first(where: { !names.contains($0) }) {
      throw CommandFailure("\(bundleID) has no pack \(unknown).", .dataError, code: "NOT_FOUND")
    }
    var found: [JSONValue] = []
    for (pack, name) in zip(all, names) where arguments.positionals.isEmpty || arguments.positionals.contains(name) {
      guard let id = pack["id"]?.string else { continue }
      for version in try client.versions(pack: id) {
        var line = flattened(version).object ?? JSONObject()
        line.set("assetPackIdentifier", .string(name))
        found.append(.object(line))
      }
    }
    if arguments.has("json") { return Output.write(["versions": .array(found)]) }
    Output.write(found.isEmpty ? "There is no version yet.\n" : text(found))
  }

  private static let tracks = ["production", "beta", "internal"]

  /// The live version numbers by `track pack`.
  private static func liveNumbers(_ client: AdminClient, app: String) throws(CommandFailure) -> [String: String] {
    var numbers: [String: String] = [:]
    for track in try client.list("v1/apps/\(app)/tracks") {
      for pack in track["attributes"]?["packs"]?.array ?? [] {
        let name = pack["assetPackIdentifier"]?.string ?? ""
        numbers["\(track["id"]?.string ?? "") \(name)"] = pack["version"]?.string
      }
    }
    return numbers
  }

  private static func text(_ versions: [JSONValue]) -> String {
    var table = TextTable([
      .init(heading: "pack"), .init(heading: "version", isNumber: true), .init(heading: "state"),
      .init(heading: "size", isNumber: true), .init(heading: "platforms"), .init(heading: "internal"),
      .init(heading: "beta"), .init(heading: "production"),
    ])
    for version in versions {
      let isCollected = version["collected"]?.bool == true
      let platforms = (version["platforms"]?.array ?? []).compactMap(\.string).joined(separator: " ")
      let state = version["state"]?.string ?? ""
      table.add([
        version["assetPackIdentifier"]?.string ?? "", version["version"]?.string ?? "",
        isCollected ? "\(state), collected" : state,
        (version["downloadSize"]?.int ?? version["fileSize"]?.int).map(TextTable.bytes) ?? "",
        state == "COMPLETE" && platforms.isEmpty ? "all" : platforms, version["internalBetaState"]?.string ?? "",
        version["externalBetaState"]?.string ?? "", version["appStoreState"]?.string ?? "",
      ])
    }
    return table.text
  }

  /// A resource's attributes with its id among them.
  private static func flattened(_ resource: JSONValue) -> JSONValue {
    var attributes = resource["attributes"]?.object ?? JSONObject()
    attributes.set("id", resource["id"] ?? .null)
    return .object(attributes)
  }
}
