import Values

// Strings (RFC 8259 section 7).
extension JSONParser {
  /// A string in the quotes that stand at `index`.
  mutating func string() throws(JSONFailure) -> String {
    let start = index
    let quote = bytes[index]
    index += 1
    var content: [UInt8] = []
    var runStart = index
    while let byte = current {
      if byte == quote {
        content.append(contentsOf: bytes[runStart..<index])
        index += 1
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: bytes[runStart..<index])
        try escape(into: &content)
        runStart = index
      } else if byte < 0x20 {
        throw unexpected("a closing quote, or control characters written as escapes")
      } else {
        index += 1
      }
    }
    throw .unexpected(
      TextPosition(of: start, in: bytes), expected: "a string that ends with a closing quote",
      found: "the end of the document inside it")
  }

  private mutating func escape(into content: inout [UInt8]) throws(JSONFailure) {
    let start = index
    index += 1
    guard let byte = current else { throw unexpected("a character after the backslash") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape(from: start, into: &content)
    default:
      guard isRelaxed else {
        throw unexpected("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", at: start + 1)
      }
      try relaxedEscape(byte, from: start, into: &content)
    }
  }

  private mutating func relaxedEscape(
    _ byte: UInt8, from start: Int, into content: inout [UInt8]
  ) throws(JSONFailure) {
    switch byte {
    case UInt8(ascii: "'"): content.append(byte)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "0"):
      if let next = current, (0x30...0x39).contains(next) { throw unexpected("no digit after \\0") }
      content.append(0)
    case UInt8(ascii: "x"): append(Unicode.Scalar(UInt8(truncatingIfNeeded: try hexDigits(2))), to: &content)
    case 0x0A: break
    case 0x0D: _ = accept(0x0A)
    default: throw unexpected("an escape of JSON or JSON5", at: start + 1)
    }
  }

  private mutating func unicodeEscape(from start: Int, into content: inout [UInt8]) throws(JSONFailure) {
    let first = try hexDigits(4)
    if let scalar = Unicode.Scalar(first) {
      append(scalar, to: &content)
      return
    }
    // A surrogate: only a first half followed by a second half makes a character.
    let lone = JSONFailure.unexpected(
      TextPosition(of: start, in: bytes), expected: "a pair of surrogate escapes that makes a character",
      found: "half of one")
    guard (0xD800..<0xDC00).contains(first), accept(UInt8(ascii: "\\")), accept(UInt8(ascii: "u")) else { throw lone }
    let second = try hexDigits(4)
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw lone }
    append(scalar, to: &content)
  }

  private func append(_ scalar: Unicode.Scalar, to content: inout [UInt8]) {
    content.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
  }

  private mutating func hexDigits(_ count: Int) throws(JSONFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let byte = current, let digit = hexadecimalValue(byte) else {
        throw unexpected("\(count) hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
