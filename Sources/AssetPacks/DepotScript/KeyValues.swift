import JSONText
import Values

/// A node of Valve's KeyValues text format: a key with a string, or a key with more nodes in braces. Keys may come
/// several times, and their letter case does not count.
package struct KeyValues: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case text(String)
    case nodes([KeyValues])
  }

  package let key: String
  package let value: Value
  /// The line of the key, from 1.
  package let line: Int

  package init(key: String, value: Value, line: Int) {
    self.key = key
    self.value = value
    self.line = line
  }

  /// Whether the key is `name` in any letter case.
  package func isNamed(_ name: String) -> Bool { key.lowercased() == name.lowercased() }
}

/// Reads KeyValues text strictly. A backslash is an ordinary character, because depot scripts write Windows paths
/// (`"D:\game\"`); `//` begins a comment; directives (`#include`) and conditions (`[$WIN32]`) are refused.
package struct KeyValuesParser {
  /// The longest text in bytes.
  package static let maximumBytes = 1 << 20
  /// The deepest nesting of braces; depot scripts have three levels.
  package static let maximumDepth = 16

  private enum Token: Equatable {
    case text(String, isQuoted: Bool)
    case open, close, end

    var name: String {
      switch self {
      case .text(let text, _): quoted(text)
      case .open: "{"
      case .close: "}"
      case .end: "the end of the text"
      }
    }
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The nodes of the whole text.
  /// - Throws: `AssetPackFailure.depotScript` with the line of the first fault.
  package static func parse(_ bytes: [UInt8]) throws(AssetPackFailure) -> [KeyValues] {
    guard bytes.count <= maximumBytes else {
      throw .depotScript(line: 1, problem: "expected at most \(maximumBytes) bytes, found \(bytes.count)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .depotScript(line: 1, problem: "expected UTF-8 text; save the script in that encoding")
    }
    var parser = KeyValuesParser(Array((text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text).utf8))
    return try parser.nodes(depth: 0)
  }

  private mutating func nodes(depth: Int) throws(AssetPackFailure) -> [KeyValues] {
    guard depth <= Self.maximumDepth else {
      throw failure("expected at most \(Self.maximumDepth) levels of braces, found more")
    }
    var nodes: [KeyValues] = []
    while true {
      let token = try next()
      switch token {
      case .end where depth == 0, .close where depth > 0: return nodes
      case .text(let key, let isQuoted):
        let keyLine = line
        guard isQuoted || !key.hasPrefix("#") else {
          throw failure("\(quoted(key)) includes another file, which is not supported; put its text here")
        }
        switch try next() {
        case .text(let text, let isQuoted):
          guard isQuoted || !text.hasPrefix("[") else { throw condition(text) }
          nodes.append(KeyValues(key: key, value: .text(text), line: keyLine))
        case .open:
          nodes.append(KeyValues(key: key, value: .nodes(try self.nodes(depth: depth + 1)), line: keyLine))
        case let other: throw failure("expected a value or { after the key \(quoted(key)), found \(other.name)")
        }
        if peekIsCondition() { throw condition(try next().name) }
      default:
        let expected = depth == 0 ? "a key" : "a key or }"
        throw failure("expected \(expected), found \(token.name)")
      }
    }
  }

  private func condition(_ text: String) -> AssetPackFailure {
    failure("the condition \(text) is not supported; keep the lines that are meant and take it out")
  }

  private mutating func peekIsCondition() -> Bool {
    var probe = self
    guard case .text(let text, isQuoted: false)? = try? probe.next() else { return false }
    return text.hasPrefix("[")
  }

  private mutating func next() throws(AssetPackFailure) -> Token {
    skipSpace()
    guard offset < bytes.count else { return .end }
    switch bytes[offset] {
    case UInt8(ascii: "{"):
      offset += 1
      return .open
    case UInt8(ascii: "}"):
      offset += 1
      return .close
    case UInt8(ascii: "\""): return try quotedText()
    default: return try bareText()
    }
  }

  /// White space and comments.
  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x0A:
        line += 1
        offset += 1
      case 0x09, 0x0D, 0x20: offset += 1
      case UInt8(ascii: "/") where offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "/"):
        while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
      default: return
      }
    }
  }

  private mutating func quotedText() throws(AssetPackFailure) -> Token {
    let start = offset + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard bytes[end] != 0x0A else { throw failure("expected \" before the end of the line") }
      try check(bytes[end])
      end += 1
    }
    guard end < bytes.count else { throw failure("expected \" before the end of the text") }
    offset = end + 1
    return .text(String(decoding: bytes[start..<end], as: UTF8.self), isQuoted: true)
  }

  private mutating func bareText() throws(AssetPackFailure) -> Token {
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""):
        return .text(String(decoding: bytes[start..<offset], as: UTF8.self), isQuoted: false)
      default:
        try check(bytes[offset])
        offset += 1
      }
    }
    return .text(String(decoding: bytes[start..<offset], as: UTF8.self), isQuoted: false)
  }

  private func check(_ byte: UInt8) throws(AssetPackFailure) {
    guard byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0D else {
      throw failure("expected no control characters, found \(quoted(Unicode.Scalar(byte)))")
    }
  }

  private func failure(_ problem: String) -> AssetPackFailure { .depotScript(line: line, problem: problem) }
}
