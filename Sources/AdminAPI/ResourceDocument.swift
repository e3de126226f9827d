import JSONText
import PackStore

/// A JSON:API resource object: `{type, id, attributes, relationships, links}`.
struct Resource {
  var type: String
  var id: String
  var attributes: JSONObject
  /// Name, type and id of what it belongs to.
  var relationships: [(name: String, type: String, id: String)] = []
  /// The path of the resource itself.
  var path: String

  var json: JSONValue {
    var object = JSONObject([("type", .string(type)), ("id", .string(id)), ("attributes", .object(attributes))])
    if !relationships.isEmpty {
      let members = relationships.map {
        ($0.name, ["data": ["type": .string($0.type), "id": .string($0.id)]] as JSONValue)
      }
      object.set("relationships", .object(JSONObject(members)))
    }
    object.set("links", ["self": .string(path)])
    return .object(object)
  }

  /// `{data, links}`.
  var document: JSONValue { ["data": json, "links": ["self": .string(path)]] }
}

/// A JSON:API list: `{data, links{self, next}, meta{paging}}`.
struct ResourceList {
  var resources: [Resource]
  var total: Int
  var limit: Int
  var nextCursor: Int64?
  /// The path and query of this page.
  var target: String
  /// The same without its cursor.
  var targetWithoutCursor: String

  var document: JSONValue {
    var links = JSONObject([("self", .string(target))])
    var paging = JSONObject([("total", .integer(total)), ("limit", .integer(limit))])
    if let nextCursor {
      let separator = targetWithoutCursor.contains("?") ? "&" : "?"
      links.set("next", .string("\(targetWithoutCursor)\(separator)cursor=\(nextCursor)"))
      paging.set("nextCursor", .string(String(nextCursor)))
    }
    return [
      "data": .array(resources.map(\.json)), "links": .object(links), "meta": ["paging": .object(paging)],
    ]
  }
}
