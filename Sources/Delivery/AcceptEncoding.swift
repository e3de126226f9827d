/// `Accept-Encoding` (RFC 9110 section 12.5.3).
enum AcceptEncoding {
  /// Whether the field's value lets an answer be compressed with gzip: `gzip` or `*` with a weight above 0.
  static func allowsGzip(_ value: UnsafeRawBufferPointer) -> Bool {
    var wildcard = false
    var index = 0
    while index < value.count {
      let start = skipSpaces(value, index)
      var end = start
      while end < value.count, value[end] != comma { end += 1 }
      var nameEnd = start
      while nameEnd < end, value[nameEnd] != semicolon, value[nameEnd] != space, value[nameEnd] != tab { nameEnd += 1 }
      if isGzip(value, start, nameEnd) { return !isRefused(value, nameEnd, end) }
      if nameEnd - start == 1, value[start] == UInt8(ascii: "*") { wildcard = !isRefused(value, nameEnd, end) }
      index = end + 1
    }
    return wildcard
  }

  private static let comma = UInt8(ascii: ",")
  private static let semicolon = UInt8(ascii: ";")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")

  private static func isGzip(_ value: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
    let skip =
      end - start == 6 && value[start] | 0x20 == UInt8(ascii: "x") && value[start + 1] == UInt8(ascii: "-") ? 2 : 0
    guard end - start - skip == 4 else { return false }
    let name: StaticString = "gzip"
    return (0..<4).allSatisfy { value[start + skip + $0] | 0x20 == name.utf8Start[$0] }
  }

  /// Whether the parameters say `q=0`, also written `q=0.000`.
  private static func isRefused(_ value: UnsafeRawBufferPointer, _ from: Int, _ end: Int) -> Bool {
    var index = from
    while index + 1 < end {
      if value[index] | 0x20 == UInt8(ascii: "q"), value[index + 1] == UInt8(ascii: "=") {
        return value[(index + 2)..<end].allSatisfy {
          $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") || $0 == space || $0 == tab
        }
      }
      index += 1
    }
    return false
  }

  private static func skipSpaces(_ value: UnsafeRawBufferPointer, _ from: Int) -> Int {
    var index = from
    while index < value.count, value[index] == space || value[index] == tab { index += 1 }
    return index
  }
}
