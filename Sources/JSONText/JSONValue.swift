/// A JSON value (RFC 8259 section 3) as a tree of plain values.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// What the value is, in words for a sentence: "a string", "an integer", "null".
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number(let number): number.isInteger ? "an integer" : "a number with a fraction or exponent"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The boolean, or nil when the value is something else.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer, or nil when the value is no integer literal or does not fit in 64 bits.
  package var int: Int? {
    if case .number(let value) = self { value.int } else { nil }
  }

  /// The string, or nil when the value is something else.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements, or nil when the value is no array.
  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object, or nil when the value is something else.
  package var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member `key` of an object; nil when there is none or the value is no object.
  package subscript(_ key: String) -> JSONValue? { object?[key] }

  /// The value that `path` leads to from here; nil when nothing stands there.
  package subscript(_ path: JSONPath) -> JSONValue? {
    var value = self
    for component in path.components {
      switch (component, value) {
      case (.key(let key), .object(let object)):
        guard let member = object[key] else { return nil }
        value = member
      case (.index(let index), .array(let elements)):
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }

  /// The members keep the order of the literal; a key written twice keeps its first place and its last value.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in elements { object.set(key, value) }
    self = .object(object)
  }

  /// An integer as a JSON number.
  package static func integer(_ value: some FixedWidthInteger) -> JSONValue { .number(JSONNumber(value)) }

  /// A string, or null for nil.
  package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
