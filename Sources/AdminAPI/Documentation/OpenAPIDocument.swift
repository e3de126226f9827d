import AssetPacks
import HTTPCore
import JSONText
import Synchronization

/// `/openapi.json`: OpenAPI 3.1, made from the table of routes, so that no route can be missing.
struct OpenAPIDocument {
  private let routes: [Route]

  init(_ routes: [Route]) { self.routes = routes }

  var json: JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Packhouse admin API", "version": "1",
        "description": "JSON:API with the terms of App Store Connect. docs/api.md says what each role includes.",
      ],
      "servers": [["url": "/"]],
      "security": [["token": []]],
      "paths": paths,
      "components": [
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "schemas": schemas,
        "responses": ["refusal": Self.response("A refusal", Schema.reference("errors"))],
      ],
    ]
  }

  private var paths: JSONValue {
    var paths = JSONObject()
    for route in routes {
      var operations = paths[route.pattern]?.object ?? JSONObject()
      let name = "\(route.method.name)".lowercased()
      operations.set(name, Self.operation(route, hasReading: hasReading(route)))
      paths.set(route.pattern, .object(operations))
    }
    let part = UploadParts.documented
    paths.set(part.path, ["put": part.operation])
    return .object(paths)
  }

  private var schemas: JSONValue {
    var schemas = JSONObject([("errors", Self.errors)])
    for shape in routes.flatMap({ $0.documentation.resources }) { schemas.set(shape.type, shape.schema) }
    return .object(schemas)
  }

  private func hasReading(_ route: Route) -> Bool {
    routes.contains { $0.method == .get && $0.segments == route.segments && $0.documentation.hasEntityTag }
  }

  private static let errors: JSONValue = Schema.object([
    (
      "errors",
      Schema.list(
        Schema.object(
          [
            ("id", Schema.text), ("status", Schema.text), ("code", Schema.text(pattern: "^[A-Z0-9_]+$")),
            ("title", Schema.text), ("detail", Schema.text),
            (
              "source",
              Schema.object(
                [("pointer", Schema.text), ("parameter", Schema.text), ("header", Schema.text)], required: [])
            ),
          ], required: ["status", "code", "title", "detail"]))
    )
  ])

  private static func operation(_ route: Route, hasReading: Bool) -> JSONValue {
    let documentation = route.documentation
    let name = "\(route.method.name)"
    let words = route.pattern.split { "/.{}".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    var operation = JSONObject([
      ("operationId", .string(name.lowercased() + words.joined())),
      ("summary", .string(documentation.summary)),
      ("description", .string(route.role.map { "Role: \($0.rawValue)." } ?? "No token.")),
    ])
    if let tag = route.pattern.split(separator: "/").dropFirst().first { operation.set("tags", [.string(String(tag))]) }
    if route.role == nil { operation.set("security", []) }
    let parameters = parameters(route, hasReading: hasReading)
    if !parameters.isEmpty { operation.set("parameters", .array(parameters)) }
    if let body = documentation.body {
      operation.set("requestBody", ["required": true, "content": ["application/json": ["schema": body]]])
    }
    var responses = JSONObject()
    responses.set(String(documentation.status), success(documentation))
    if documentation.hasEntityTag, route.method == .get {
      responses.set("304", ["description": "The client already has it"])
    }
    // Routes with plain text answers also report failure in plain text.
    if route.pattern == "/readyz" { responses.set("503", textResponse("The daemon does not serve")) }
    if route.role == nil, documentation.mediaType == "text/plain" {
      operation.set("responses", .object(responses))
      return .object(operation)
    }
    responses.set("default", ["$ref": "#/components/responses/refusal"])
    operation.set("responses", .object(responses))
    return .object(operation)
  }

  private static func parameters(_ route: Route, hasReading: Bool) -> [JSONValue] {
    var parameters: [JSONValue] = route.valueNames.map { name in
      ["name": .string(name), "in": "path", "required": true, "schema": Schema.id]
    }
    for (name, schema, isList) in route.documentation.query?.parameters ?? [] {
      var parameter = JSONObject([("name", .string(name)), ("in", "query"), ("schema", schema)])
      if isList {
        parameter.set("style", "form")
        parameter.set("explode", false)
      }
      parameters.append(.object(parameter))
    }
    func header(_ name: String, _ pattern: String, _ description: String) {
      parameters.append([
        "name": .string(name), "in": "header", "schema": Schema.text(pattern: pattern),
        "description": .string(description),
      ])
    }
    switch route.method {
    case .post where route.role != nil:
      header("Idempotency-Key", "^[!-~]{1,255}$", "A request sent again with the same key is carried out once.")
    case .patch where hasReading, .delete where hasReading:
      header("If-Match", "^(\\*|\"[0-9a-f]{32}\")$", "The request is refused with 412 when the ETag has changed.")
    default: break
    }
    return parameters
  }

  private static func success(_ documentation: RouteDocumentation) -> JSONValue {
    guard let mediaType = documentation.mediaType else { return ["description": "Done"] }
    guard let answer = documentation.answer else { return textResponse("Done", mediaType) }
    return response("Done", answer)
  }

  private static func response(_ description: String, _ schema: JSONValue) -> JSONValue {
    ["description": .string(description), "content": ["application/json": ["schema": schema]]]
  }

  private static func textResponse(_ description: String, _ mediaType: String = "text/plain") -> JSONValue {
    ["description": .string(description), "content": .object(JSONObject([(mediaType, ["schema": Schema.text])]))]
  }
}

extension UploadParts {
  /// The one path outside the table of routes, because its body goes straight to the disk.
  fileprivate static var documented: (path: String, operation: JSONValue) {
    let values: [(String, String, JSONValue)] = [
      ("fileId", "path", Schema.id), ("partNumber", "path", Schema.integer(from: 1, to: 10_000)),
      ("expires", "query", Schema.integer(from: 1)), ("signature", "query", Schema.digest),
    ]
    let parameters: [JSONValue] = values.map { name, place, schema in
      ["name": .string(name), "in": .string(place), "required": true, "schema": schema]
    }
    return (
      "\(pathPrefix){fileId}/{partNumber}",
      [
        "operationId": "putUploadsPart", "summary": "The bytes of one part", "security": [], "tags": ["uploads"],
        "description": "The address is signed; no token is needed.", "parameters": .array(parameters),
        "requestBody": ["content": ["application/octet-stream": ["schema": [:]]]],
        "responses": [
          "200": ["description": "The bytes are on the disk"],
          "default": ["$ref": "#/components/responses/refusal"],
        ],
      ]
    )
  }
}

/// An answer that never changes while the program runs, made on first use.
final class KeptMessage: Sendable {
  private let kept = Mutex<Message?>(nil)

  func message(_ make: () -> Message) -> Message {
    kept.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      return made
    }
  }
}
