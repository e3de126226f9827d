/// A JSON number (RFC 8259 section 6) that keeps its literal: what was read is what is written again, digit by digit.
///
/// Two numbers are equal when their literals are; `1.0` is not `1`.
package struct JSONNumber: Sendable, Hashable {
  /// The number in RFC 8259 spelling. The relaxed spellings (`0x1F`, `+1`, `.5`, `5.`) are rewritten when they are
  /// read.
  package let literal: String

  /// For the parser, which has checked the spelling.
  init(checked literal: String) { self.literal = literal }

  /// An integer.
  package init(_ value: some FixedWidthInteger) { literal = String(value) }

  /// A number with a fraction; nil for infinities and NaN, which JSON does not have.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // Swift writes 1e+20, 0.5, 5e-324 and 100000.0: all of them are RFC 8259 numbers.
    literal = "\(value)"
  }

  /// Whether the literal has neither fraction nor exponent.
  package var isInteger: Bool { literal.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } }

  /// The exact integer; nil for literals with a fraction or exponent (also `3.0`) and beyond 64 bits.
  package var int: Int? { isInteger ? Int(literal) : nil }

  /// The nearest double; nil when the number is too large for one.
  package var double: Double? {
    guard let value = Double(literal), value.isFinite else { return nil }
    return value
  }
}
