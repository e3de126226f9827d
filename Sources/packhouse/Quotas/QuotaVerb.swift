import JSONText

extension Verb {
  static let quota = Verb(
    words: ["quota"], summary: "Show what an app or the whole server stores and may store; change an app's quota.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app; without it the whole server."),
      .value(
        "preset", "NAME", "Set the app's quota: apple, odr, odr-ios18, odr-tvos, custom; default for the server's."),
      .value("limit", "SIZE", "Set the app's quota in bytes; 50GB and 16MiB are understood."),
      .value("packs", "NUMBER", "Set how many packs the app may have."),
      .flag("json", "Print it as JSON, sizes in bytes."),
    ],
    details:
      "used is the sum of each pack's largest version that is not superseded on all tracks; reserved are uploads in "
      + "flight;\nreclaimable is what packhouse gc frees once the retention times have passed."
  ) { arguments throws(CommandFailure) in try showQuota(arguments) }

  private static func showQuota(_ arguments: Arguments) throws(CommandFailure) {
    let change = try quotaChange(arguments)
    let client = try AdminClient(arguments)
    guard let bundleID = arguments.value("app") else {
      if !change.isEmpty { throw CommandFailure("A quota is set for one app: give --app.", .usage) }
      return print(try client.get("v1/quota"), name: "server", arguments)
    }
    let id = try client.app(bundleID).id
    let path = "v1/apps/\(id)/quota"
    if change.isEmpty { return print(try client.get(path), name: bundleID, arguments) }
    let document: JSONValue = [
      "data": ["type": "quotas", "id": .string(id), "attributes": .object(JSONObject(change))]
    ]
    print(try client.patch(path, document), name: bundleID, arguments)
  }

  private static func quotaChange(_ arguments: Arguments) throws(CommandFailure) -> [(String, JSONValue)] {
    var change: [(String, JSONValue)] = []
    if let preset = arguments.value("preset") {
      change.append(("preset", preset == "default" ? .null : .string(preset)))
    }
    if let bytes = try ByteText.option(arguments, "limit") { change.append(("limit", .integer(bytes))) }
    if let text = arguments.value("packs") {
      guard let packs = Int(text), packs >= 0 else {
        throw CommandFailure("--packs must be a whole number of 0 or more, not \(text).", .usage)
      }
      change.append(("packLimit", .integer(packs)))
    }
    return change
  }

  private static func print(_ answer: JSONValue, name: String, _ arguments: Arguments) {
    var attributes = answer["data"]?["attributes"]?.object ?? JSONObject()
    if arguments.has("json") {
      attributes.set("app", name == "server" ? .null : .string(name))
      return Output.write(.object(attributes))
    }
    var table = TextTable([
      .init(heading: name), .init(heading: "", isNumber: true), .init(heading: "bytes", isNumber: true),
    ])
    let rows = [
      ("limit", "limit"), ("used", "used"), ("reserved by uploads", "reserved"), ("free", "free"),
      ("reclaimable by gc", "reclaimable"), ("on the disk", "stored"), ("warning from", "warningThreshold"),
    ]
    for (label, key) in rows {
      guard let bytes = attributes[key]?.int else {
        if key == "limit" { table.add([label, "the disk"]) }
        continue
      }
      table.add([label, TextTable.bytes(bytes), "\(bytes)"])
    }
    let packs = attributes["packs"]?.int ?? 0
    let limit = attributes["packLimit"]?.int.map { " of \($0)" } ?? ""
    table.add(["packs", "\(packs)\(limit)"])
    if let preset = attributes["preset"]?.string { table.add(["preset", preset]) }
    Output.write(table.text)
    if attributes["isNearlyFull"]?.bool == true { Output.tell("80 % of the quota are used.\n") }
  }
}
