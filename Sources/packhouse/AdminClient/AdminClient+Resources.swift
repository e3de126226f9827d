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
