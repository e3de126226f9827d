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

  /// The integer, or nil when the value is not an integer literal or does not fit in 64 bits.
  package var int: Int? {
    if case .number(let value) = self { value.int } else { nil }
  }

  /// The string, or nil when the value is something else.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements, or nil when the value is not an array.
  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object, or nil when the value is something else.
  package var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member `key` of an object; nil when there is none or the value is not an object.
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

/// A JSON number (RFC 8259 section 6) that keeps its literal: what was read is what is written again, digit by digit.
///
/// Two numbers are equal when their literals are; `1.0` is not `1`.
package struct JSONNumber: Sendable, Hashable {
  /// The number in RFC 8259 spelling. The relaxed spellings (`0x1F`, `+1`, `.5`, `5.`) are rewritten when they are
  /// read.
  package let literal: String

  /// For the parser, which has checked the spelling.
  init(checked literal: String) { self.literal = literal }

  /// An integer.
  package init(_ value: some FixedWidthInteger) { literal = String(value) }

  /// A number with a fraction; nil for infinities and NaN, which JSON does not have.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // Swift writes 1e+20, 0.5, 5e-324 and 100000.0: all of them are RFC 8259 numbers.
    literal = "\(value)"
  }

  /// Whether the literal has neither fraction nor exponent.
  package var isInteger: Bool { literal.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } }

  /// The exact integer; nil for literals with a fraction or exponent (also `3.0`) and beyond 64 bits.
  package var int: Int? { isInteger ? Int(literal) : nil }

  /// The nearest double; nil when the number is too large for one.
  package var double: Double? {
    guard let value = Double(literal), value.isFinite else { return nil }
    return value
  }
}
