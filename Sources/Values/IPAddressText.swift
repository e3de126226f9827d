/// IP addresses as text: read as in RFC 4291 section 2.2, written as in RFC 5952.
enum IPv6Text {
  /// Sixteen bytes; nil for everything else, zones included.
  static func parse(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard (2...45).contains(text.count) else { return nil }
    let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var before: [UInt8] = []
    var after: [UInt8]?
    for (place, group) in groups.enumerated() {
      if group.isEmpty {
        let isEdge = place == 0 || place == groups.count - 1
        if isEdge {
          // An empty group at an edge is half of a `::` there.
          let neighbour = place == 0 ? 1 : groups.count - 2
          guard groups.indices.contains(neighbour), groups[neighbour].isEmpty else { return nil }
        } else {
          guard after == nil else { return nil }
          after = []
        }
        continue
      }
      let bytes: [UInt8]
      if group.contains(UInt8(ascii: ".")) {
        guard place == groups.count - 1, let address = dottedDecimal(group) else { return nil }
        bytes = address
      } else {
        guard group.count <= 4, group.allSatisfy(isHexDigit),
          let value = UInt16(String(decoding: group, as: UTF8.self), radix: 16)
        else { return nil }
        bytes = [UInt8(value >> 8), UInt8(value & 0xFF)]
      }
      if after == nil { before += bytes } else { after?.append(contentsOf: bytes) }
    }
    guard let after else { return before.count == 16 ? before : nil }
    let missing = 16 - before.count - after.count
    guard missing >= 2 else { return nil }
    return before + [UInt8](repeating: 0, count: missing) + after
  }

  /// Four decimal numbers without leading zeros.
  static func dottedDecimal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
        part.count == 1 || part.first != 0x30, let value = UInt8(String(decoding: part, as: UTF8.self))
      else { return nil }
      bytes.append(value)
    }
    return bytes
  }

  /// Eight groups in lower case without leading zeros, the first longest run of at least two zero groups as `::`.
  static func render(_ bytes: [UInt8]) -> String {
    let groups = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    var longest = 0..<0
    var start = 0
    while start < groups.count {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
      if end - start > max(1, longest.count) { longest = start..<end }
      start = max(end, start) + 1
    }
    let texts = groups.map { String($0, radix: 16) }
    guard !longest.isEmpty else { return texts.joined(separator: ":") }
    return texts[..<longest.lowerBound].joined(separator: ":") + "::"
      + texts[longest.upperBound...].joined(separator: ":")
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}
