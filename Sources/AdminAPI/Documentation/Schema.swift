import JSONText

/// Pieces of JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it), for the descriptions of what is sent and answered.
enum Schema {
  static let text: JSONValue = ["type": "string"]
  static let integer: JSONValue = ["type": "integer"]
  static let flag: JSONValue = ["type": "boolean"]
  /// A switch that can only be turned on.
  static let on: JSONValue = ["const": true]
  static let date: JSONValue = ["type": "string", "format": "date-time"]
  static let id: JSONValue = ["type": "string", "minLength": 1, "maxLength": 64]
  /// A SHA-256 in hexadecimal digits.
  static let digest: JSONValue = ["type": "string", "pattern": "^[0-9a-fA-F]{64}$"]
  /// A version number: text on the wire, as in App Store Connect.
  static let version: JSONValue = ["type": "string", "pattern": "^[1-9][0-9]{0,17}$"]

  /// A text with a number of bytes in `lengths`. Letters beyond ASCII have several bytes.
  static func text(_ lengths: ClosedRange<Int>) -> JSONValue {
    [
      "type": "string", "minLength": .integer(lengths.lowerBound), "maxLength": .integer(lengths.upperBound),
    ]
  }

  static func text(pattern: String) -> JSONValue { ["type": "string", "pattern": .string(pattern)] }

  static func integer(from least: Int, to most: Int? = nil) -> JSONValue {
    var members = JSONObject([("type", "integer"), ("minimum", .integer(least))])
    if let most { members.set("maximum", .integer(most)) }
    return .object(members)
  }

  /// One of these texts.
  static func choice(_ names: [String]) -> JSONValue {
    ["type": "string", "enum": .array(names.map { .string($0) })]
  }

  /// The raw values of an enum.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> JSONValue {
    choice(Choice.allCases.map(\.rawValue))
  }

  static func list(_ items: JSONValue, _ count: ClosedRange<Int>? = nil) -> JSONValue {
    var members = JSONObject([("type", "array"), ("items", items)])
    if let count {
      members.set("minItems", .integer(count.lowerBound))
      members.set("maxItems", .integer(count.upperBound))
    }
    return .object(members)
  }

  /// The same, or null.
  static func optional(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

  /// An object with these members and no others.
  static func object(_ members: [(String, JSONValue)], required: [String]? = nil) -> JSONValue {
    [
      "type": "object", "properties": .object(JSONObject(members)),
      "required": .array((required ?? members.map(\.0)).map { .string($0) }), "additionalProperties": false,
    ]
  }

  /// An object with any members.
  static let anyObject: JSONValue = ["type": "object"]

  /// The description `name` of the document.
  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  /// `{type, id}` of a resource.
  static func identifier(_ type: String) -> JSONValue {
    object([("type", ["const": .string(type)]), ("id", id)])
  }
}
