import Digests
import JSONText
import PackStore

/// A JSON:API resource object: `{type, id, attributes, relationships, links}`.
struct ResourceObject {
  /// What a relationship leads to, where that is not simply one resource.
  struct Related {
    enum Target {
      case one(type: String, id: String)
      case none
      /// Some of `total` resources; `limit` is the most that there may be.
      case many([(type: String, id: String)], total: Int, limit: Int)
      /// Only the path says what.
      case unknown
    }

    let name: String
    let target: Target
    /// The path that answers with the related resources.
    var path: String?
  }

  var type: String
  var id: String
  var attributes: JSONObject
  /// Name, type and id of what it belongs to.
  var relationships: [(name: String, type: String, id: String)] = []
  /// The path of the resource itself.
  var path: String
  /// More relationships.
  var related: [Related] = []
  /// Attributes that change by themselves, and so are not covered by `ETag`.
  var fleeting: [String] = []

  var json: JSONValue { json(only: nil) }

  /// The resource with the attributes and relationships in `fields`; nil for all of them.
  func json(only fields: Set<String>?) -> JSONValue {
    var object = JSONObject([("type", .string(type)), ("id", .string(id))])
    var attributes = self.attributes
    if let fields {
      attributes = JSONObject(attributes.members.filter { fields.contains($0.key) }.map { ($0.key, $0.value) })
    }
    object.set("attributes", .object(attributes))
    let members = relationshipMembers.filter { fields?.contains($0.0) ?? true }
    if !members.isEmpty { object.set("relationships", .object(JSONObject(members))) }
    object.set("links", ["self": .string(path)])
    return .object(object)
  }

  /// `{data, links}`.
  var document: JSONValue { ["data": json, "links": ["self": .string(path)]] }

  /// A strong entity tag (RFC 9110 section 8.8.3) of the whole resource, with its quotes.
  var entityTag: String {
    var stable = self
    for name in fleeting { stable.attributes.remove(name) }
    return "\"\(Digest.sha256Text(stable.json.serialize()).prefix(32))\""
  }

  private var relationshipMembers: [(String, JSONValue)] {
    relationships.map { ($0.name, ["data": Self.identifier($0.type, $0.id)]) }
      + related.map { ($0.name, Self.json($0)) }
  }

  private static func json(_ related: Related) -> JSONValue {
    var object = JSONObject()
    switch related.target {
    case .one(let type, let id): object.set("data", identifier(type, id))
    case .none: object.set("data", .null)
    case .many(let targets, let total, let limit):
      object.set("data", .array(targets.map { identifier($0.type, $0.id) }))
      object.set("meta", ["paging": ["total": .integer(total), "limit": .integer(limit)]])
    case .unknown: break
    }
    if let path = related.path { object.set("links", ["related": .string(path)]) }
    return .object(object)
  }

  private static func identifier(_ type: String, _ id: String) -> JSONValue {
    ["type": .string(type), "id": .string(id)]
  }
}

/// A JSON:API list: `{data, included, links{self, next}, meta{paging}}`.
struct ResourceList {
  var resources: [ResourceObject]
  var total: Int
  var limit: Int
  var nextCursor: PageCursor?
  /// The path and query of this page.
  var target: String
  /// The same without its cursor.
  var targetWithoutCursor: String
  /// Resources that the query asked for with `include`; nil when it did not.
  var included: [ResourceObject]?
  /// The fields that are wanted, by type.
  var fields: [String: Set<String>] = [:]

  var document: JSONValue {
    var links = JSONObject([("self", .string(target))])
    var paging = JSONObject([("total", .integer(total)), ("limit", .integer(limit))])
    if let cursor = nextCursor?.text {
      let separator = targetWithoutCursor.contains("?") ? "&" : "?"
      links.set("next", .string("\(targetWithoutCursor)\(separator)cursor=\(cursor)"))
      paging.set("nextCursor", .string(cursor))
    }
    var members = JSONObject([("data", .array(resources.map { $0.json(only: fields[$0.type]) }))])
    if let included { members.set("included", included.compound(fields)) }
    members.set("links", .object(links))
    members.set("meta", ["paging": .object(paging)])
    return .object(members)
  }
}

extension [ResourceObject] {
  /// The `included` of a compound document: each resource once (JSON:API 1.1, "Compound Documents").
  func compound(_ fields: [String: Set<String>]) -> JSONValue {
    var seen: Set<String> = []
    return .array(
      filter { seen.insert("\($0.type) \($0.id)").inserted }.map { $0.json(only: fields[$0.type]) })
  }
}
