import Values

// The small steps of the parser: blanks, comments, single bytes, words, and what to say when none of them fits.
extension JSONParser {
  /// Skips white space and, in the relaxed dialect, comments.
  mutating func skipBlank() throws(JSONFailure) {
    while let byte = current {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "/") where isRelaxed: try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONFailure) {
    let start = index
    index += 1
    switch current {
    case UInt8(ascii: "/"):
      while let byte = current, byte != 0x0A, byte != 0x0D { index += 1 }
    case UInt8(ascii: "*"):
      index += 1
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      throw .unexpected(
        TextPosition(of: start, in: bytes), expected: "a comment that ends with */",
        found: "the end of the document inside it")
    default: throw unexpected("a second slash or an asterisk to begin a comment")
    }
  }

  /// Takes the byte if it is the next one.
  mutating func accept(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  /// Takes the word if it is the next one and no longer word.
  mutating func accept(word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count, end == bytes.count || !Self.isNameByte(bytes[end]) else { return false }
    let isSame = word.withUTF8Buffer { bytes[index..<end].elementsEqual($0) }
    if isSame { index = end }
    return isSame
  }

  /// The failure that `expected` does not stand at `index`.
  func unexpected(_ expected: String) -> JSONFailure { unexpected(expected, at: index) }

  /// The failure that `expected` does not stand at `offset`.
  func unexpected(_ expected: String, at offset: Int) -> JSONFailure {
    .unexpected(TextPosition(of: offset, in: bytes), expected: expected, found: thing(at: offset))
  }

  private func thing(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the document" }
    let byte = bytes[offset]
    if bytes[offset...].starts(with: [0xEF, 0xBB, 0xBF]) { return "a byte order mark" }
    if byte == UInt8(ascii: "/"), !isRelaxed, offset + 1 < bytes.count,
      bytes[offset + 1] == byte || bytes[offset + 1] == UInt8(ascii: "*")
    {
      return "a comment"
    }
    switch byte {
    case 0x0A, 0x0D: return "the end of the line"
    case 0x09: return "a tab"
    case 0..<0x20, 0x7F: return "the control character U+00" + hexadecimal([byte], uppercase: true)
    default: break
    }
    if Self.isNameByte(byte) {
      let word = bytes[offset...].prefix(61).prefix { Self.isNameByte($0) }
      return quoted(String(decoding: word, as: UTF8.self))
    }
    // The text is known to be UTF-8, so its first scalar decodes.
    return quoted(String(String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)))
  }
}
