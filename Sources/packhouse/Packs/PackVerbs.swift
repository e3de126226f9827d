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
    Output.write(packs.isEmpty ? "The app has no packs yet.\n" : table.text)
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
    Output.write(found.isEmpty ? "There are no versions yet.\n" : text(found))
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

extension Verb {
  static let archive = Verb(
    words: ["archive"], summary: "Remove a pack from all manifests; devices delete it.", positionals: "PACK",
    count: 1...1,
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app that the pack belongs to."),
      .value("confirm", "PACK", "The name of the pack again; required while a manifest lists it."),
      .flag("undo", "Restore it: what was live is live again, unless its bytes were deleted."),
      .value("reason", "TEXT", "Why, for the audit log."),
      .flag("json", "Print the pack as JSON."),
    ],
    details: "Version numbers are never reused. packhouse gc deletes the bytes after retention.archiveTime."
  ) { arguments throws(CommandFailure) in try archivePack(arguments) }

  private static func archivePack(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let name = arguments.positionals[0]
    if arguments.has("undo"), arguments.value("confirm") != nil {
      throw CommandFailure("Pass --confirm or --undo, not both.", .usage)
    }
    let client = try AdminClient(arguments)
    guard let id = try client.pack(name, app: try client.app(bundleID).id) else {
      throw CommandFailure("\(bundleID) has no pack \(name).", .dataError, code: "NOT_FOUND")
    }
    var attributes = JSONObject([("archived", .bool(!arguments.has("undo")))])
    if let confirmed = arguments.value("confirm") { attributes.set("confirmedRemovals", [.string(confirmed)]) }
    if let reason = arguments.value("reason") { attributes.set("reason", .string(reason)) }
    let answer: JSONValue
    do throws(CommandFailure) {
      answer = try client.patch(
        "v1/backgroundAssets/\(id)",
        ["data": ["type": "backgroundAssets", "id": .string(id), "attributes": .object(attributes)]])
    } catch {
      guard error.code == "MANIFEST_WOULD_SHRINK", arguments.value("confirm") != name else { throw error }
      throw CommandFailure(
        "\(error.sentence)\nTo confirm: --confirm \(name)", .dataError, code: error.code)
    }
    let pack = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(pack) }
    Output.write(
      arguments.has("undo")
        ? "\(name) is restored, and what was live is live again.\n"
        : "\(name) is archived. Until its bytes are deleted, --undo restores it.\n")
  }
}
