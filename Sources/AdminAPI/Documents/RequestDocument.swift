import JSONText
import Values

/// The body of a create or an update: `{data: {type, id?, attributes?, relationships?}}`.
struct RequestDocument {
  private let data: JSONObjectCursor
  /// The members of `attributes`; empty when there are none.
  let attributes: JSONObjectCursor

  /// The body that says no more than its type.
  static func empty(_ type: String) -> [UInt8] {
    let document: JSONValue = ["data": ["type": .string(type)]]
    return document.serialize()
  }

  /// Parses and checks the envelope. `attributes` and `relationships` name what is known in each.
  init(
    _ body: [UInt8], type: String, id: String? = nil, attributes known: [String] = [],
    relationships: [String] = []
  ) throws(APIFailure) {
    let document: JSONDocument
    do throws(JSONFailure) {
      document = try JSONParser.parse(body, dialect: .strict, limits: JSONLimits(depth: 32))
    } catch {
      throw APIFailure(error)
    }
    let (root, data) = try Self.shaped { () throws(JSONShapeFailure) in
      let root = try document.cursor.object()
      return (root, try root.required("data", expected: "an object").object())
    }
    var unknown = root.unknownKeys(allowing: ["data"])
    unknown += data.unknownKeys(allowing: ["type", "id", "attributes", "relationships"])
    // A member of another type is not unknown: the type is wrong.
    if data.object["type"] == .string(type) {
      for (name, names) in [("attributes", known), ("relationships", relationships)] {
        guard let members = data.object[name]?.object else { continue }
        unknown += JSONObjectCursor(members, path: data.path.appending(name)).unknownKeys(allowing: names)
      }
    }
    if let failure = APIFailure(unknownFields: unknown) { throw failure }
    self.data = data
    attributes = try Self.shaped { () throws(JSONShapeFailure) in
      let found = try data.required("type", expected: quoted(type))
      guard try found.string() == type else { throw found.outOfRange(quoted(type)) }
      if let id {
        let given = try data.required("id", expected: quoted(id))
        guard try given.string() == id else { throw given.outOfRange("the id of the path, \(quoted(id))") }
      }
      _ = try data.optional("relationships")?.object()
      return try data.optional("attributes")?.object()
        ?? JSONObjectCursor(JSONObject(), path: data.path.appending("attributes"))
    }
  }

  /// Reads a value; a wrong shape becomes a 422 with its pointer.
  static func shaped<Value>(_ read: () throws(JSONShapeFailure) -> Value) throws(APIFailure) -> Value {
    do {
      return try read()
    } catch {
      throw APIFailure(error)
    }
  }

  /// The id of the resource of `type` that the relationship `name` points at.
  func related(_ name: String, type: String) throws(APIFailure) -> String {
    try Self.shaped { () throws(JSONShapeFailure) in
      let relationships = try data.required("relationships", expected: "an object with \(quoted(name))").object()
      let relationship = try relationships.required(name, expected: "an object with \"data\"").object(allowing: ["data"]
      )
      let target = try relationship.required("data", expected: "a resource identifier").object(allowing: ["type", "id"])
      let found = try target.required("type", expected: quoted(type))
      guard try found.string() == type else { throw found.outOfRange(quoted(type)) }
      return try target.required("id", expected: "an id").string(bytes: 1...64)
    }
  }

  /// Whether the relationship `name` is there and not null.
  func hasRelationship(_ name: String) -> Bool {
    let relationship = data.optional("relationships")?.value[name]
    return relationship != nil && relationship != .null && relationship?["data"] != .null
  }

  /// The place of the relationship's id, for failures that are about it.
  static func pointer(to relationship: String) -> String { "/data/relationships/\(relationship)/data/id" }
}
