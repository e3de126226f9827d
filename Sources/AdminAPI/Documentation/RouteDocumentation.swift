import HTTPCore
import JSONText

/// What a route takes and answers, for `/openapi.json`.
struct RouteDocumentation: Sendable {
  /// A line of what it does.
  let summary: String
  /// The query parameters; nil when it takes none.
  var query: QueryShape?
  /// The JSON Schema of the body, from the route's ``BodyShape``; nil when it takes none.
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

  /// A new resource, or another one-time result of a `POST`.
  static func creates(_ resource: ResourceShape, _ summary: String, status: UInt16 = 201) -> RouteDocumentation {
    RouteDocumentation(
      summary: summary, status: status, answer: single(resource), resources: [resource], hasEntityTag: true)
  }

  /// A changed resource.
  static func updates(_ resource: ResourceShape, _ summary: String) -> RouteDocumentation {
    creates(resource, summary, status: 200)
  }

  /// A removal, answered with 204.
  static func deletes(_ summary: String) -> RouteDocumentation {
    RouteDocumentation(summary: summary, status: 204, mediaType: nil)
  }

  /// Lines of text.
  static func text(_ summary: String, mediaType: String = "text/plain") -> RouteDocumentation {
    RouteDocumentation(summary: summary, mediaType: mediaType)
  }

  /// JSON that is not a JSON:API document.
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
