import HTTPCore
import JSONText

/// The body of a create or an update: `{data: {type, id?, attributes?, relationships?}}`.
struct RequestDocument {
  private let data: JSONObjectCursor
  /// The members of `attributes`; empty when there are none.
  let attributes: JSONObjectCursor

  /// Parses and checks the envelope. `attributes` and `relationships` name what is known in each.
  init(
    _ request: OwnedRequest, type: String, id: String? = nil, attributes known: [String] = [],
    relationships: [String] = []
  ) throws(APIFailure) {
    do {
      let document = try JSONParser.parse(request.body, dialect: .strict)
      let root = try Self.shaped { () throws(JSONShapeFailure) in
        try document.cursor.object(allowing: ["data"]).required("data", expected: "an object")
      }
      (data, attributes) = try Self.shaped { () throws(JSONShapeFailure) in
        let data = try root.object(allowing: ["type", "id", "attributes", "relationships"])
        let found = try data.required("type", expected: quoted(type))
        guard try found.string() == type else { throw found.outOfRange(quoted(type)) }
        if let id {
          let given = try data.required("id", expected: quoted(id))
          guard try given.string() == id else { throw given.outOfRange("the id of the path, \(quoted(id))") }
        }
        let attributes =
          try data.optional("attributes")?.object(allowing: known)
          ?? JSONObjectCursor(JSONObject(), path: data.path.appending("attributes"))
        if let related = data.optional("relationships") { _ = try related.object(allowing: relationships) }
        return (data, attributes)
      }
    } catch let failure as JSONFailure {
      throw APIFailure(failure)
    } catch let failure as APIFailure {
      throw failure
    } catch {
      throw APIFailure(.malformedJSON, "The body could not be read.")
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

  /// Whether the relationship `name` is given.
  func hasRelationship(_ name: String) -> Bool {
    data.optional("relationships")?.value[name] != nil
  }

  /// Where the relationship's id stands, for failures that are about it.
  static func pointer(to relationship: String) -> String { "/data/relationships/\(relationship)/data/id" }
}
