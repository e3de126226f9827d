import JSONText

extension Verb {
  static let archive = Verb(
    words: ["archive"], summary: "Take a pack out of all manifests; devices delete it.", positionals: "PACK",
    count: 1...1,
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app that the pack belongs to."),
      .value("confirm", "PACK", "The pack's name again, when a manifest lists it."),
      .flag("undo", "Bring it back: what was live is live again, as long as its bytes are there."),
      .value("reason", "TEXT", "Why, for the audit log."),
      .flag("json", "Print the pack as JSON."),
    ],
    details: "Version numbers stay for ever. The bytes stay for retention.archiveTime; packhouse gc removes them then."
  ) { arguments throws(CommandFailure) in try archivePack(arguments) }

  private static func archivePack(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let name = arguments.positionals[0]
    if arguments.has("undo"), arguments.value("confirm") != nil {
      throw CommandFailure("--confirm goes with archiving, --undo with bringing back.", .usage)
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
        "\(error.sentence)\nIf that is meant: --confirm \(name)", .dataError, code: error.code)
    }
    let pack = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(pack) }
    Output.write(
      arguments.has("undo")
        ? "\(name) is back, and what was live is live again.\n"
        : "\(name) is archived. Bring it back with --undo as long as its bytes are there.\n")
  }
}
