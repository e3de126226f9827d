/// `bytes` as hexadecimal digits, two for each byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.underestimatedCount * 2)
  for byte in bytes { appendHexadecimal(byte, to: &text, uppercase: uppercase) }
  return String(decoding: text, as: UTF8.self)
}

/// Appends the two hexadecimal digits of `byte`.
package func appendHexadecimal(_ byte: UInt8, to text: inout [UInt8], uppercase: Bool = false) {
  let ten = uppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
  func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : ten + value - 10 }
  text.append(digit(byte >> 4))
  text.append(digit(byte & 15))
}

/// The bytes that `text` spells in hexadecimal digits of either case; nil for anything else.
package func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in text.utf8 {
    guard let value = hexadecimalValue(character) else { return nil }
    if let first = high {
      bytes.append(first << 4 | value)
      high = nil
    } else {
      high = value
    }
  }
  return high == nil ? bytes : nil
}

/// The value of one hexadecimal digit of either case; nil for any other byte. Inlined, because requests are read with
/// it byte by byte.
@inlinable
package func hexadecimalValue(_ digit: UInt8) -> UInt8? {
  if digit &- 0x30 < 10 { return digit &- 0x30 }
  let letter = (digit | 0x20) &- 0x61
  return letter < 6 ? letter &+ 10 : nil
}
