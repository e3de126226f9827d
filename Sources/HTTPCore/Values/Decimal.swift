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
