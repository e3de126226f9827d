import Values

/// Reads JSON (RFC 8259), or its relaxed dialect, from bytes that may be hostile: depth and size are bounded, a key
/// that comes twice is refused, numbers keep their literals, and every failure names line and column.
///
/// Written here because FoundationEssentials names no line, takes keys twice, rounds numbers, and would double the size
/// of the program.
package struct JSONParser {
  let bytes: [UInt8]
  let dialect: JSONDialect
  let limits: JSONLimits
  var index = 0
  var nodes: [JSONDocument.Node] = []

  var isRelaxed: Bool { dialect == .relaxed }
  /// The byte at `index`; nil at the end.
  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Parses a whole text.
  /// - Throws: `JSONFailure` for anything that is not one value of the dialect within the limits.
  package static func parse(
    _ bytes: [UInt8], dialect: JSONDialect = .strict, limits: JSONLimits = JSONLimits()
  ) throws(JSONFailure) -> JSONDocument {
    guard bytes.count <= limits.byteCount else {
      throw .tooLarge(byteCount: bytes.count, limit: limits.byteCount)
    }
    if let offset = firstInvalidUTF8(in: bytes) { throw .invalidUTF8(TextPosition(of: offset, in: bytes)) }
    var parser = JSONParser(bytes: bytes, dialect: dialect, limits: limits)
    return try parser.document()
  }

  /// Parses the bytes of a buffer, which are copied.
  package static func parse(
    _ buffer: UnsafeRawBufferPointer, dialect: JSONDialect = .strict, limits: JSONLimits = JSONLimits()
  ) throws(JSONFailure) -> JSONDocument {
    guard buffer.count <= limits.byteCount else {
      throw .tooLarge(byteCount: buffer.count, limit: limits.byteCount)
    }
    return try parse(Array(buffer), dialect: dialect, limits: limits)
  }

  /// Parses a string.
  package static func parse(
    _ text: String, dialect: JSONDialect = .strict, limits: JSONLimits = JSONLimits()
  ) throws(JSONFailure) -> JSONDocument {
    try parse(Array(text.utf8), dialect: dialect, limits: limits)
  }

  private init(bytes: [UInt8], dialect: JSONDialect, limits: JSONLimits) {
    self.bytes = bytes
    self.dialect = dialect
    self.limits = limits
  }

  private mutating func document() throws(JSONFailure) -> JSONDocument {
    if isRelaxed, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    try skipBlank()
    let root = try value(depth: 0, keyOffset: index)
    try skipBlank()
    guard current == nil else { throw unexpected("the end of the document") }
    return JSONDocument(root: root, bytes: bytes, nodes: nodes)
  }

  private mutating func value(depth: Int, keyOffset: Int) throws(JSONFailure) -> JSONValue {
    let place = nodes.count
    nodes.append(JSONDocument.Node(keyOffset: keyOffset, valueOffset: index, next: place + 1))
    defer { nodes[place].next = nodes.count }
    switch current {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "'") where isRelaxed: return .string(try string())
    case UInt8(ascii: "-"), .some(0x30...0x39): return .number(try number())
    case UInt8(ascii: "+"), UInt8(ascii: "."):
      guard isRelaxed else { throw unexpected("a value") }
      return .number(try number())
    default: break
    }
    if accept(word: "true") { return .bool(true) }
    if accept(word: "false") { return .bool(false) }
    if accept(word: "null") { return .null }
    throw unexpected("a value")
  }

  private mutating func object(depth: Int) throws(JSONFailure) -> JSONObject {
    try enter(depth)
    var object = JSONObject()
    try skipBlank()
    if accept(UInt8(ascii: "}")) { return object }
    while true {
      let keyOffset = index
      let key = try key()
      guard object.place(of: key) == nil else {
        throw .duplicateKey(TextPosition(of: keyOffset, in: bytes), key: key)
      }
      try skipBlank()
      guard accept(UInt8(ascii: ":")) else { throw unexpected("a colon after the key \(quoted(key))") }
      try skipBlank()
      object.append(key, try value(depth: depth, keyOffset: keyOffset))
      try skipBlank()
      if accept(UInt8(ascii: "}")) { return object }
      guard accept(UInt8(ascii: ",")) else { throw unexpected("a comma or the closing brace of the object") }
      try skipBlank()
      if isRelaxed, accept(UInt8(ascii: "}")) { return object }
    }
  }

  private mutating func array(depth: Int) throws(JSONFailure) -> [JSONValue] {
    try enter(depth)
    var elements: [JSONValue] = []
    try skipBlank()
    if accept(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value(depth: depth, keyOffset: index))
      try skipBlank()
      if accept(UInt8(ascii: "]")) { return elements }
      guard accept(UInt8(ascii: ",")) else { throw unexpected("a comma or the closing bracket of the array") }
      try skipBlank()
      if isRelaxed, accept(UInt8(ascii: "]")) { return elements }
    }
  }

  private mutating func enter(_ depth: Int) throws(JSONFailure) {
    guard depth <= limits.depth else {
      throw .tooDeep(TextPosition(of: index, in: bytes), limit: limits.depth)
    }
    index += 1
  }

  private mutating func key() throws(JSONFailure) -> String {
    switch current {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "'") where isRelaxed: return try string()
    case .some(let byte) where isRelaxed && Self.isNameByte(byte) && !(0x30...0x39).contains(byte):
      let start = index
      while let byte = current, Self.isNameByte(byte) { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    default: throw unexpected(isRelaxed ? "a key" : "a key in double quotes")
    }
  }

  /// Whether an unquoted key or word may hold the byte.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }
}

/// Which texts the parser takes.
package enum JSONDialect: Sendable {
  /// RFC 8259 and nothing else.
  case strict
  /// A subset of JSON5 for files that people write: `//` and block comments, trailing commas, single quotes, keys
  /// without quotes, hexadecimal numbers, `+1`, `.5`, `5.`, the escapes `\'`, `\v`, `\0`, `\xHH` and escaped line
  /// ends, and a byte order mark at the start. `Infinity` and `NaN` are refused.
  case relaxed
}

/// How much the parser takes before it refuses a text.
package struct JSONLimits: Sendable {
  /// The deepest nesting of arrays and objects. Never more than 256 is used: the parser recurses.
  package let depth: Int
  /// The longest text in bytes.
  package let byteCount: Int

  package init(depth: Int = 64, byteCount: Int = 16 << 20) {
    self.depth = min(max(depth, 0), 256)
    self.byteCount = byteCount
  }
}
