/// Base64 (RFC 4648 section 4) as `<data>` of property lists has it: padded, in lines.
package enum Base64 {
  private static let alphabet = Base64Alphabet(lastTwo: UInt8(ascii: "+"), UInt8(ascii: "/"))

  /// The bytes of `text`. White space is skipped, and padding may be missing; nil for anything else that is not Base64.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let content = characters.prefix { $0 != UInt8(ascii: "=") }
    let padding = characters.dropFirst(content.count)
    guard padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
    return alphabet.decode(content)?.bytes
  }

  /// The text in one line, with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    let text = alphabet.encode(bytes)
    return String(decoding: text + repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4), as: UTF8.self)
  }
}

/// base64url without padding (RFC 4648 section 5, RFC 7515 section 2), read strictly: one text for each value.
package enum Base64URL {
  private static let alphabet = Base64Alphabet(lastTwo: UInt8(ascii: "-"), UInt8(ascii: "_"))

  /// The bytes of `text`; nil for characters of another alphabet, padding, white space, a length that no bytes give,
  /// and bits that are set after the last byte.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    guard let (bytes, rest) = alphabet.decode(text), rest == 0 else { return nil }
    return bytes
  }

  /// `bytes` as text, without padding.
  package static func encode(_ bytes: [UInt8]) -> String { String(decoding: alphabet.encode(bytes), as: UTF8.self) }
}

/// Six bits for each character. The alphabets of RFC 4648 differ in their last two characters only.
private struct Base64Alphabet {
  private let characters: [UInt8]
  /// By character; 64 for those that are not in the alphabet.
  private let values: [UInt8]

  init(lastTwo plus: UInt8, _ slash: UInt8) {
    characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + [plus, slash]
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
    self.values = values
  }

  /// The bytes, and the bits left over after the last of them; nil for other characters, and for a single character
  /// at the end, which begins no byte.
  func decode(_ text: some Sequence<UInt8>) -> (bytes: [UInt8], rest: UInt32)? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    guard count < 6 else { return nil }
    return (bytes, bits & ((1 << count) - 1))
  }

  /// The characters, without padding.
  func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = (bits << 8 | UInt32(byte)) & 0xFFFF
      count += 8
      while count >= 6 {
        count -= 6
        text.append(characters[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(characters[Int(bits << (6 - count) & 63)]) }
    return text
  }
}
