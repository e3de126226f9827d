import Values

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
      bytes.append(UInt8(ascii: "["))
      for place in elements.indices {
        begin(place, depth)
        write(elements[place], depth: depth + 1)
      }
      end(elements.count, depth)
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      let members =
        format.sortsKeys
        ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members
      bytes.append(UInt8(ascii: "{"))
      for place in members.indices {
        begin(place, depth)
        Self.appendString(members[place].key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if format.isPretty { bytes.append(UInt8(ascii: " ")) }
        write(members[place].value, depth: depth + 1)
      }
      end(members.count, depth)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends `text` in quotes with what must be escaped escaped (RFC 8259 section 7).
  package static func appendString(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { source in
      var start = 0
      for place in source.indices where mustBeEscaped(source[place]) {
        bytes.append(contentsOf: source[start..<place])
        appendEscape(source[place], to: &bytes)
        start = place + 1
      }
      bytes.append(contentsOf: source[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0..<0x20:
      bytes.append(contentsOf: "\\u00".utf8)
      appendHexadecimal(byte, to: &bytes)
    default:
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// What stands before the element at `place` of a container.
  private mutating func begin(_ place: Int, _ depth: Int) {
    if place > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(depth + 1)
  }

  /// What stands after the last of `count` elements.
  private mutating func end(_ count: Int, _ depth: Int) {
    if count > 0 { breakLine(depth) }
  }

  private mutating func breakLine(_ depth: Int) {
    guard format.isPretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }
}
