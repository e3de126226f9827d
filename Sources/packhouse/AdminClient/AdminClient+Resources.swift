import HTTPClient
import JSONText

// The resources of the admin API that several verbs need.
extension AdminClient {
  /// The app of that bundle id.
  func app(_ bundleID: String) throws(CommandFailure) -> (id: String, resource: JSONValue) {
    let found = try list("v1/apps", [(name: "filter[bundleId]", value: bundleID)])
    guard let app = found.first, let id = app["id"]?.string else {
      throw CommandFailure(
        "The server has no app \(bundleID); create it with packhouse app create, or check --app.", .dataError)
    }
    return (id, app)
  }

  /// The id of the pack of that name; nil when the app has none.
  func pack(_ identifier: String, app: String) throws(CommandFailure) -> String? {
    let query = [(name: "filter[assetPackIdentifier]", value: identifier)]
    return try list("v1/apps/\(app)/backgroundAssets", query).first?["id"]?.string
  }

  /// The versions of a pack, the newest first.
  func versions(pack: String) throws(CommandFailure) -> [JSONValue] {
    try list("v1/backgroundAssets/\(pack)/versions")
  }

  /// A reference to a resource, as relationships carry it.
  static func relationship(_ name: String, _ type: String, _ id: String) -> JSONValue {
    .object(JSONObject([(name, ["data": ["type": .string(type), "id": .string(id)]])]))
  }
}

// What the verbs on tokens, keys, webhooks and the audit log have in common.
extension AdminClient {
  /// Creates a resource, perhaps one that belongs to the app of that bundle id, and returns it.
  func create(_ type: String, _ attributes: JSONObject, app bundleID: String?) throws(CommandFailure) -> JSONValue {
    var data = JSONObject([("type", .string(type)), ("attributes", .object(attributes))])
    if let bundleID { data.set("relationships", Self.relationship("app", "apps", try app(bundleID).id)) }
    return try post("v1/\(type)", ["data": .object(data)])["data"] ?? .null
  }

  /// The filter that narrows a list to the app of `--app`; none without.
  func appFilter(_ arguments: Arguments) throws(CommandFailure) -> [(name: String, value: String)] {
    guard let bundleID = arguments.value("app") else { return [] }
    return [(name: "filter[app]", value: try app(bundleID).id)]
  }

  /// A resource with its id among its attributes.
  static func flattened(_ resource: JSONValue) -> JSONValue {
    var object = JSONObject([("id", resource["id"] ?? .null)])
    for member in resource["attributes"]?.object?.members ?? [] { object.set(member.key, member.value) }
    if let app = resource["relationships"]?["app"]?["data"]?["id"] { object.set("app", app) }
    return .object(object)
  }

  /// A value as it may stand in a path.
  static func encoded(_ text: String) -> String { HTTPSURL.encode(text) }
}
