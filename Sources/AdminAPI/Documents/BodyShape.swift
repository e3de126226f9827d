import HTTPCore
import JSONText

/// One attribute of a body: its name, its JSON Schema, and how it is read.
struct Field<Value: Sendable>: Sendable {
  typealias Reader = @Sendable (JSONObjectCursor) throws(JSONShapeFailure) -> Value

  let name: String
  let schema: JSONValue
  let isRequired: Bool
  let read: Reader

  init(_ name: String, _ schema: JSONValue, isRequired: Bool = false, read: @escaping Reader) {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
    self.read = read
  }

  /// A member that must be there; `expected` says what, for the sentence.
  init(_ name: String, _ shape: ValueShape<Value>, expected: String) {
    self.init(name, shape.schema, isRequired: true) { (attributes) throws(JSONShapeFailure) in
      try shape.read(try attributes.required(name, expected: expected))
    }
  }

  /// A member that may be missing or null, with the same meaning.
  init<Wrapped: Sendable>(_ name: String, _ shape: ValueShape<Wrapped>) where Value == Wrapped? {
    self.init(name, Schema.optional(shape.schema)) { (attributes) throws(JSONShapeFailure) in
      guard let member = attributes.optional(name) else { return nil }
      return try shape.read(member)
    }
  }

  /// A member that may be missing or null, with different meanings.
  init<Wrapped: Sendable>(orNull name: String, _ shape: ValueShape<Wrapped>) where Value == Wrapped?? {
    self.init(name, Schema.optional(shape.schema)) { (attributes) throws(JSONShapeFailure) in
      guard let member = attributes.present(name) else { return nil }
      return .some(member.value == .null ? nil : try shape.read(member))
    }
  }

  /// A member that may be missing or null, which then stands for `fallback`.
  init(_ name: String, _ shape: ValueShape<Value>, or fallback: Value) {
    self.init(name, Schema.optional(shape.schema)) { (attributes) throws(JSONShapeFailure) in
      guard let member = attributes.optional(name) else { return fallback }
      return try shape.read(member)
    }
  }
}

/// What the body of a route is: `{data: {type, id?, attributes?, relationships?}}`. The schema in `/openapi.json`, the
/// names that are known, and what the handler gets come from it. The relationships are those of the route's ``Scope``.
struct BodyShape<Body: Sendable>: Sendable {
  typealias Reader = @Sendable (JSONObjectCursor) throws(JSONShapeFailure) -> Body

  let type: String
  let attributes: [(name: String, schema: JSONValue, isRequired: Bool)]
  /// Whether a request without a body stands for one without attributes.
  private(set) var isOptional = false
  private let read: Reader

  private init(
    type: String, attributes: [(name: String, schema: JSONValue, isRequired: Bool)], isOptional: Bool,
    read: @escaping Reader
  ) {
    self.type = type
    self.attributes = attributes
    self.isOptional = isOptional
    self.read = read
  }

  /// A body of these fields; the handler gets their values as a tuple.
  init<each Value: Sendable>(_ type: String, _ fields: repeat Field<each Value>) where Body == (repeat each Value) {
    var attributes: [(name: String, schema: JSONValue, isRequired: Bool)] = []
    for field in repeat each fields { attributes.append((field.name, field.schema, field.isRequired)) }
    self.init(type: type, attributes: attributes, isOptional: false) { (members) throws(JSONShapeFailure) in
      (repeat try (each fields).read(members))
    }
  }

  /// The same body, checked as a whole: for rules between its fields.
  func then<Other: Sendable>(
    _ transform: @escaping @Sendable (Body, JSONObjectCursor) throws(JSONShapeFailure) -> Other
  ) -> BodyShape<Other> {
    BodyShape<Other>(type: type, attributes: attributes, isOptional: isOptional) {
      [read] members throws(JSONShapeFailure) in
      try transform(try read(members), members)
    }
  }

  /// The same body, which need not be sent.
  func optional() -> BodyShape {
    var shape = self
    shape.isOptional = true
    return shape
  }

  /// The JSON Schema. Only a change of something names its `id`.
  func schema(_ relationships: Relationships, hasID: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [("type", ["const": .string(type)])]
    var needed = ["type"]
    if hasID {
      members.append(("id", Schema.id))
      needed.append("id")
    }
    let required = attributes.filter(\.isRequired).map(\.name)
    if !attributes.isEmpty {
      members.append(("attributes", Schema.object(attributes.map { ($0.name, $0.schema) }, required: required)))
      if !required.isEmpty { needed.append("attributes") }
    }
    if let schema = relationships.schema {
      members.append(("relationships", schema))
      if relationships.areRequired { needed.append("relationships") }
    }
    return Schema.object([("data", Schema.object(members, required: needed))])
  }

  /// Reads the body of a request; `id` is what a change must name.
  func decode(
    _ request: OwnedRequest, id: String?, _ relationships: Relationships
  ) throws(APIFailure) -> (body: Body, document: RequestDocument) {
    let body = isOptional && request.body.isEmpty ? RequestDocument.empty(type) : request.body
    let document = try RequestDocument(
      body, type: type, id: id, attributes: attributes.map(\.name), relationships: relationships.names)
    return (try RequestDocument.shaped { () throws(JSONShapeFailure) in try read(document.attributes) }, document)
  }
}

/// The relationships that a body may have.
enum Relationships: Sendable {
  typealias Item = (name: String, type: String)

  case none
  case all([Item])
  case optional(Item)
  /// One of them, not two.
  case oneOf([Item])

  var items: [Item] {
    switch self {
    case .none: []
    case .all(let items), .oneOf(let items): items
    case .optional(let item): [item]
    }
  }

  var names: [String] { items.map(\.name) }

  /// Whether a body without any is refused.
  var areRequired: Bool {
    switch self {
    case .none, .optional: false
    case .all, .oneOf: true
    }
  }

  /// Their JSON Schema; nil when there are none.
  var schema: JSONValue? {
    let targets = items.map { ($0.name, Schema.object([("data", Schema.identifier($0.type))])) }
    switch self {
    case .none: return nil
    case .all: return Schema.object(targets)
    case .optional: return Schema.object(targets, required: [])
    case .oneOf:
      var schema = Schema.object(targets, required: []).object ?? JSONObject()
      schema.set("minProperties", 1)
      schema.set("maxProperties", 1)
      return .object(schema)
    }
  }
}
