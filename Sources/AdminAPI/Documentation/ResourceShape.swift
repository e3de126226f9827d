import JSONText

/// What resources of one type look like. Sparse fieldsets, includes and `/openapi.json` follow it.
struct ResourceShape: Sendable {
  /// A relationship to one resource, to none, or to many.
  struct Relationship: Sendable {
    enum Number: Sendable {
      case one, oneOrNone, many
    }

    let name: String
    let type: String
    var number = Number.one
  }

  let type: String
  /// Names with their JSON Schema.
  let attributes: [(name: String, schema: JSONValue)]
  var relationships: [Relationship] = []

  /// What `fields[type]` may name.
  var fieldNames: [String] { attributes.map(\.name) + relationships.map(\.name) }

  /// The JSON Schema of the resource object. `fields[…]` may leave every member out.
  var schema: JSONValue {
    var members: [(String, JSONValue)] = [
      ("type", ["const": .string(type)]), ("id", Schema.text),
      ("attributes", Schema.object(attributes.map { ($0.name, $0.schema) }, required: [])),
    ]
    if !relationships.isEmpty {
      let related = relationships.map { ($0.name, Self.schema($0)) }
      members.append(("relationships", Schema.object(related, required: [])))
    }
    members.append(("links", Schema.object([("self", Schema.text)])))
    return Schema.object(members, required: ["type", "id", "links"])
  }

  private static func schema(_ relationship: Relationship) -> JSONValue {
    let target = Schema.identifier(relationship.type)
    let data =
      switch relationship.number {
      case .one: target
      case .oneOrNone: Schema.optional(target)
      case .many: Schema.list(target)
      }
    return Schema.object(
      [("data", data), ("links", Schema.object([("related", Schema.text)])), ("meta", Schema.anyObject)], required: [])
  }
}
