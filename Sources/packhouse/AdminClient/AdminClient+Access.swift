import HTTPClient
import JSONText

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
