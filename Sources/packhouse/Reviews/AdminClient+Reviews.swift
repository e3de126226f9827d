import JSONText

// Review submissions, as the verbs of `packhouse review` use them.
extension AdminClient {
  /// A submission with its items.
  struct Submission {
    let id: String
    /// The id of its app.
    let app: String
    let attributes: JSONValue
    let items: [JSONValue]

    var state: String { attributes["state"]?.string ?? "" }
    var track: String { attributes["track"]?.string ?? "" }

    /// The items that still count: `level-1 2` and so on.
    var openItems: [JSONValue] {
      items.filter { ["READY_FOR_REVIEW", "ACCEPTED", "REJECTED"].contains($0["attributes"]?["state"]?.string) }
    }

    /// For `--json`: the submission's id and attributes, and those of its items.
    var json: JSONValue {
      var object = attributes.object ?? JSONObject()
      object.set("id", .string(id))
      object.set("items", .array(items.map(AdminClient.flattened)))
      return .object(object)
    }
  }

  /// The submission of that id.
  func submission(_ id: String) throws(CommandFailure) -> Submission {
    try submission(try get("v1/reviewSubmissions/\(id)")["data"] ?? .null)
  }

  private func submission(_ resource: JSONValue) throws(CommandFailure) -> Submission {
    let id = resource["id"]?.string ?? ""
    return Submission(
      id: id, app: resource["relationships"]?["app"]?["data"]?["id"]?.string ?? "",
      attributes: resource["attributes"] ?? .null, items: try list("v1/reviewSubmissions/\(id)/items"))
  }

  /// The submissions of an app, the newest first.
  func submissions(app: String, track: String?, states: [String]) throws(CommandFailure) -> [Submission] {
    var query = [(name: "filter[app]", value: app)]
    if let track { query.append((name: "filter[track]", value: track)) }
    if !states.isEmpty { query.append((name: "filter[state]", value: states.joined(separator: ","))) }
    var found: [Submission] = []
    for resource in try list("v1/reviewSubmissions", query) { found.append(try submission(resource)) }
    return found
  }

  /// Changes attributes of a submission.
  func change(submission id: String, _ attributes: [(String, JSONValue)]) throws(CommandFailure) {
    try change("reviewSubmissions", id, attributes)
  }

  /// Changes attributes of an item.
  func change(item id: String, _ attributes: [(String, JSONValue)]) throws(CommandFailure) {
    try change("reviewSubmissionItems", id, attributes)
  }

  private func change(_ type: String, _ id: String, _ attributes: [(String, JSONValue)]) throws(CommandFailure) {
    _ = try patch(
      "v1/\(type)/\(id)",
      ["data": ["type": .string(type), "id": .string(id), "attributes": .object(JSONObject(attributes))]])
  }

  /// Gives a verdict on a submission, or on one of its items.
  func decide(
    _ decision: String, _ relationship: String, _ type: String, _ id: String, reason: String?
  ) throws(CommandFailure) {
    var attributes = [("decision", JSONValue.string(decision))]
    if let reason { attributes.append(("reason", .string(reason))) }
    _ = try post(
      "v1/reviewDecisions",
      [
        "data": [
          "type": "reviewDecisions", "attributes": .object(JSONObject(attributes)),
          "relationships": Self.relationship(relationship, type, id),
        ]
      ])
  }

  /// The version of a pack by its number, or the newest complete one.
  func version(
    _ pack: PackReference, app: String
  ) throws(CommandFailure) -> String {
    guard let packID = try self.pack(pack.identifier, app: app) else {
      throw CommandFailure("The app has no pack \(pack.identifier).", .dataError)
    }
    let wanted =
      pack.number.map { (name: "filter[version]", value: String($0)) } ?? (name: "filter[state]", value: "COMPLETE")
    let answer = try get("v1/backgroundAssets/\(packID)/versions", [wanted, (name: "limit", value: "1")])
    guard let id = answer["data"]?.array?.first?["id"]?.string else {
      let what = pack.number.map { "version \($0)" } ?? "COMPLETE version"
      throw CommandFailure("\(pack.identifier) has no \(what).", .dataError)
    }
    return id
  }
}
