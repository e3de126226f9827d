/// How a value is written.
package struct JSONFormat: Sendable {
  /// Line breaks and two spaces of indentation, instead of no white space at all.
  package var isPretty: Bool
  /// Keys in the order of their UTF-8 bytes, instead of the order they were added in.
  package var sortsKeys: Bool

  package init(isPretty: Bool = false, sortsKeys: Bool = false) {
    self.isPretty = isPretty
    self.sortsKeys = sortsKeys
  }

  package static let compact = JSONFormat()
  package static let pretty = JSONFormat(isPretty: true)
}

extension JSONValue {
  /// The value as RFC 8259 text in UTF-8: slashes are not escaped, control characters are. Same value, same bytes.
  package func serialize(_ format: JSONFormat = .compact) -> [UInt8] {
    var serializer = JSONSerializer(format: format)
    serializer.write(self, depth: 0)
    return serializer.bytes
  }

  /// The text of `serialize` as a string.
  package func text(_ format: JSONFormat = .compact) -> String { String(decoding: serialize(format), as: UTF8.self) }
}

/// Writes values into one byte array.
package struct JSONSerializer {
  package private(set) var bytes: [UInt8] = []
  private let format: JSONFormat

  package init(format: JSONFormat = .compact) { self.format = format }

  /// Appends `value`; `depth` is the number of containers around it, for the indentation.
  package mutating func write(_ value: JSONValue, depth: Int = 0) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .number(let number): append(number.literal)
    case .string(let text): Self.appendString(text, to: &bytes)
    case .array(let elements):
      writeContainer(UInt8(ascii: "["), UInt8(ascii: "]"), count: elements.count, depth: depth) { serializer, place in
        serializer.write(elements[place], depth: depth + 1)
      }
    case .object(let object):
      let members =
        format.sortsKeys
        ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members
      writeContainer(UInt8(ascii: "{"), UInt8(ascii: "}"), count: members.count, depth: depth) { serializer, place in
        Self.appendString(members[place].key, to: &serializer.bytes)
        serializer.append(serializer.format.isPretty ? ": " : ":")
        serializer.write(members[place].value, depth: depth + 1)
      }
    }
  }

  /// Appends `text` in quotes with what must be escaped escaped (RFC 8259 section 7).
  package static func appendString(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x08: bytes.append(contentsOf: "\\b".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0C: bytes.append(contentsOf: "\\f".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
        bytes.append(contentsOf: String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func writeContainer(
    _ open: UInt8, _ close: UInt8, count: Int, depth: Int, element: (inout JSONSerializer, Int) -> Void
  ) {
    bytes.append(open)
    for place in 0..<count {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine(depth + 1)
      element(&self, place)
    }
    if count > 0 { breakLine(depth) }
    bytes.append(close)
  }

  private mutating func breakLine(_ depth: Int) {
    guard format.isPretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }
}
