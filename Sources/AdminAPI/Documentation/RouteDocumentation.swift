import HTTPCore
import JSONText

/// What a route takes and answers, for `/openapi.json`.
struct RouteDocumentation: Sendable {
  /// A line of what it does.
  let summary: String
  /// The query parameters; nil when it takes none.
  var query: QueryShape?
  /// The JSON Schema of the body; nil when it takes none.
  var body: JSONValue?
  /// The status of success.
  var status: UInt16 = 200
  /// The media type of the answer; nil when it has no body.
  var mediaType: String? = "application/json"
  /// The JSON Schema of an answer in JSON.
  var answer: JSONValue?
  /// The resources that the answer may hold: their descriptions go into the document.
  var resources: [ResourceShape] = []
  /// Whether the answer is a single resource, which has an `ETag`.
  var hasEntityTag = false

  /// A single resource.
  static func reads(_ query: QueryShape, _ summary: String) -> RouteDocumentation {
    RouteDocumentation(
      summary: summary, query: query, answer: Self.single(query.resource, included: query.includes),
      resources: query.fieldShapes, hasEntityTag: true)
  }

  /// A list in pages.
  static func lists(_ query: QueryShape, _ summary: String) -> RouteDocumentation {
    RouteDocumentation(
      summary: summary, query: query, answer: Self.list(query.resource, included: query.includes),
      resources: query.fieldShapes)
  }

  /// A new resource. `attributes`, `relationships` and `optional` relationships are what the body may have; the
  /// attributes that it must have are named. Of `alternatives`, which stand in the place of relationships, it has one.
  static func creates(
    _ resource: ResourceShape, _ summary: String, attributes: [(String, JSONValue)] = [], required: [String] = [],
    relationships: [(name: String, type: String)] = [], optional: [(name: String, type: String)] = [],
    alternatives: [(name: String, type: String)] = [],
    status: UInt16 = 201
  ) -> RouteDocumentation {
    var members: [(String, JSONValue)] = [("type", ["const": .string(resource.type)])]
    var needed = ["type"]
    if !attributes.isEmpty {
      members.append(("attributes", Schema.object(attributes, required: required)))
      if !required.isEmpty { needed.append("attributes") }
    }
    if !relationships.isEmpty || !optional.isEmpty {
      let targets = (relationships + optional).map { ($0.name, Schema.object([("data", Schema.identifier($0.type))])) }
      members.append(("relationships", Schema.object(targets, required: relationships.map(\.name))))
      if !relationships.isEmpty { needed.append("relationships") }
    }
    if !alternatives.isEmpty {
      let targets = alternatives.map { ($0.name, Schema.object([("data", Schema.identifier($0.type))])) }
      var one = Schema.object(targets, required: []).object ?? JSONObject()
      one.set("minProperties", 1)
      one.set("maxProperties", 1)
      members.append(("relationships", .object(one)))
      needed.append("relationships")
    }
    return RouteDocumentation(
      summary: summary, body: Schema.object([("data", Schema.object(members, required: needed))]), status: status,
      answer: single(resource), resources: [resource], hasEntityTag: true)
  }

  /// A changed resource.
  static func updates(
    _ resource: ResourceShape, _ summary: String, attributes: [(String, JSONValue)], required: [String] = []
  ) -> RouteDocumentation {
    let data = Schema.object(
      [
        ("type", ["const": .string(resource.type)]), ("id", Schema.id),
        ("attributes", Schema.object(attributes, required: required)),
      ], required: ["type", "id"] + (required.isEmpty ? [] : ["attributes"]))
    return RouteDocumentation(
      summary: summary, body: Schema.object([("data", data)]), answer: single(resource), resources: [resource],
      hasEntityTag: true)
  }

  /// A removal, answered with 204.
  static func deletes(_ summary: String) -> RouteDocumentation {
    RouteDocumentation(summary: summary, status: 204, mediaType: nil)
  }

  /// Lines of text.
  static func text(_ summary: String, mediaType: String = "text/plain") -> RouteDocumentation {
    RouteDocumentation(summary: summary, mediaType: mediaType)
  }

  /// JSON that is no JSON:API document.
  static func document(_ summary: String) -> RouteDocumentation {
    RouteDocumentation(summary: summary, answer: Schema.anyObject)
  }

  private static func single(_ resource: ResourceShape, included: [QueryShape.Include] = []) -> JSONValue {
    document([("data", Schema.reference(resource.type)), ("links", Schema.anyObject)], included)
  }

  private static func list(_ resource: ResourceShape, included: [QueryShape.Include]) -> JSONValue {
    let paging = Schema.object(
      [("total", Schema.integer), ("limit", Schema.integer), ("nextCursor", Schema.text)], required: ["total", "limit"])
    return document(
      [
        ("data", Schema.list(Schema.reference(resource.type))),
        ("links", Schema.object([("self", Schema.text), ("next", Schema.text)], required: ["self"])),
        ("meta", Schema.object([("paging", paging)])),
      ], included)
  }

  private static func document(_ members: [(String, JSONValue)], _ included: [QueryShape.Include]) -> JSONValue {
    var types: [String] = []
    for include in included where !types.contains(include.resource.type) { types.append(include.resource.type) }
    guard !types.isEmpty else { return Schema.object(members) }
    let items: JSONValue = ["anyOf": .array(types.map { Schema.reference($0) })]
    return Schema.object(members + [("included", Schema.list(items))], required: members.map(\.0))
  }
}
