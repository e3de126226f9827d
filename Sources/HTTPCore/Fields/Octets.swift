/// Small questions about bytes, answered without `String`.
enum Octets {
  /// Bits 0…63 of the token characters of RFC 9110 section 5.6.2: `!#$%&'*+-.` and digits.
  private static let lowTokens: UInt64 = 0x03FF_6CFA_0000_0000
  /// Bits 64…127: letters and ``^_`|~``.
  private static let highTokens: UInt64 = 0x57FF_FFFF_C7FF_FFFE

  /// Whether `byte` may stand in a method or a field name.
  static func isToken(_ byte: UInt8) -> Bool {
    if byte < 64 { return lowTokens & (1 << UInt64(byte)) != 0 }
    return byte < 128 && highTokens & (1 << UInt64(byte - 64)) != 0
  }

  /// Whether `byte` is a decimal digit.
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Whether `byte` is an ASCII letter.
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// Whether `byte` is a space or a tab.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// `byte` in lower case.
  static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Whether the bytes are exactly `text`.
  static func equal(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let expected = text.utf8Start
    for index in 0..<count where bytes[index] != expected[index] { return false }
    return true
  }

  /// Whether the token at `bytes`, as long as `text`, is `text` in any letter case. `text` is lower-case letters and
  /// hyphens, for which setting the case bit of a token character has no other preimage.
  static func named(_ bytes: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
    let expected = text.utf8Start
    for index in 0..<text.utf8CodeUnitCount where bytes[index] | 0x20 != expected[index] { return false }
    return true
  }

  /// Whether the bytes are `text`, which is in lower case, in any letter case.
  static func equalIgnoringCase(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let expected = text.utf8Start
    for index in 0..<count where lowered(bytes[index]) != expected[index] { return false }
    return true
  }

  /// Whether the stretch is `word`, which is in lower case, in any letter case.
  static func isWord(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return equalIgnoringCase(base.assumingMemoryBound(to: UInt8.self), bytes.count, word)
  }

  /// Whether two stretches hold the same bytes.
  static func same(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index] != right[index] { return false }
    return true
  }

  /// The stretch without spaces and tabs at either end.
  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = bytes.count
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}

/// Decimal numbers as bytes.
enum Decimal {
  /// The most digits that `write` produces.
  static let maximumDigits = 20

  /// The number, or nil when there is no digit, any other byte, or more than `Int` holds.
  static func parse(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var value = 0
    for byte in bytes {
      guard Octets.isDigit(byte) else { return nil }
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, carries) = product.addingReportingOverflow(Int(byte &- 0x30))
      guard !overflows, !carries else { return nil }
      value = sum
    }
    return value
  }

  /// How many digits `value` has.
  static func digits(_ value: UInt) -> Int {
    var rest = value
    var count = 1
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }

  /// Writes exactly `count` digits, with zeros in front.
  static func write(_ value: UInt, digits count: Int, into target: UnsafeMutableRawPointer) {
    var rest = value
    var index = count
    while index > 0 {
      index -= 1
      target.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) &+ 0x30, toByteOffset: index, as: UInt8.self)
      rest /= 10
    }
  }
}
