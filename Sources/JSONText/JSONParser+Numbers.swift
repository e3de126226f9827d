import Values

// Numbers (RFC 8259 section 6), and JSON5's spellings of them.
extension JSONParser {
  /// The number at `index`, its literal rewritten to RFC 8259 spelling where it is relaxed.
  mutating func number() throws(JSONFailure) -> JSONNumber {
    var literal = ""
    if accept(UInt8(ascii: "-")) {
      literal = "-"
    } else if isRelaxed {
      _ = accept(UInt8(ascii: "+"))
    }
    if isRelaxed, let number = try hexadecimalNumber(sign: literal) { return number }

    let whole = digits()
    let isLeadingDot = isRelaxed && whole.isEmpty && current == UInt8(ascii: ".")
    guard !whole.isEmpty || isLeadingDot else { throw unexpected("a digit") }
    if whole.utf8.count > 1, whole.utf8.first == UInt8(ascii: "0") {
      throw unexpected("a number without leading zeros", at: index - whole.utf8.count)
    }
    literal += whole.isEmpty ? "0" : whole
    if accept(UInt8(ascii: ".")) {
      let fraction = digits()
      guard !fraction.isEmpty || (isRelaxed && !isLeadingDot) else { throw unexpected("a digit after the point") }
      literal += "." + (fraction.isEmpty ? "0" : fraction)
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      literal += current == UInt8(ascii: "e") ? "e" : "E"
      index += 1
      if accept(UInt8(ascii: "-")) {
        literal += "-"
      } else if accept(UInt8(ascii: "+")) {
        literal += "+"
      }
      let exponent = digits()
      guard !exponent.isEmpty else { throw unexpected("a digit of the exponent") }
      literal += exponent
    }
    if let byte = current, Self.isNameByte(byte) { throw unexpected("the end of the number") }
    return JSONNumber(checked: literal)
  }

  private mutating func digits() -> String {
    let start = index
    while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// `0x…`, which must fit in 64 bits because it is rewritten as a decimal number.
  private mutating func hexadecimalNumber(sign: String) throws(JSONFailure) -> JSONNumber? {
    guard current == UInt8(ascii: "0"), index + 1 < bytes.count, bytes[index + 1] | 0x20 == UInt8(ascii: "x") else {
      return nil
    }
    let start = index
    index += 2
    var value: UInt64 = 0
    var count = 0
    while let byte = current, let digit = hexadecimalValue(byte) {
      guard value >> 60 == 0 else {
        throw .unexpected(
          TextPosition(of: start, in: bytes), expected: "a hexadecimal number of at most 64 bits", found: "a larger one"
        )
      }
      value = value << 4 | UInt64(digit)
      count += 1
      index += 1
    }
    guard count > 0 else { throw unexpected("a hexadecimal digit") }
    if let byte = current, Self.isNameByte(byte) { throw unexpected("the end of the number") }
    return JSONNumber(checked: sign + String(value))
  }
}
