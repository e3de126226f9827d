/// IP addresses as text: read as in RFC 4291 section 2.2, written as in RFC 5952. Reading allocates nothing.
package enum IPAddressText {
  /// An IPv4 address: four decimal numbers without leading zeros.
  package static func ipv4(_ text: UnsafeRawBufferPointer) -> UInt32? {
    guard (7...15).contains(text.count) else { return nil }
    var address: UInt32 = 0
    var parts = 0
    var index = 0
    while true {
      let start = index
      var part: UInt32 = 0
      while index < text.count, index - start < 3, text[index] &- 0x30 < 10 {
        part = part * 10 + UInt32(text[index] &- 0x30)
        index += 1
      }
      guard index > start, part <= 255, index - start == 1 || text[start] != 0x30 else { return nil }
      address = address << 8 | part
      parts += 1
      if index == text.count { return parts == 4 ? address : nil }
      guard parts < 4, text[index] == UInt8(ascii: ".") else { return nil }
      index += 1
    }
  }

  /// An IPv6 address, without brackets; nil for everything else, zones included.
  package static func ipv6(_ text: UnsafeRawBufferPointer) -> UInt128? {
    guard (2...45).contains(text.count) else { return nil }
    var address: UInt128 = 0
    var groups = 0
    /// How many groups stand before the `::`.
    var gap: Int?
    var index = 0
    if text[0] == colon {
      guard text[1] == colon else { return nil }
      gap = 0
      index = 2
    }
    while index < text.count {
      let start = index
      var group: UInt128 = 0
      while index < text.count, index - start < 5, let digit = hexadecimalValue(text[index]) {
        group = group << 4 | UInt128(digit)
        index += 1
      }
      if index < text.count, text[index] == UInt8(ascii: ".") {
        // The last four bytes may be written as an IPv4 address.
        guard groups <= 6, let last = ipv4(UnsafeRawBufferPointer(rebasing: text[start...])) else { return nil }
        address = address << 32 | UInt128(last)
        groups += 2
        break
      }
      guard (1...4).contains(index - start), groups < 8 else { return nil }
      address = address << 16 | group
      groups += 1
      if index == text.count { break }
      guard text[index] == colon, index + 1 < text.count else { return nil }
      index += 1
      if text[index] == colon {
        guard gap == nil else { return nil }
        gap = groups
        index += 1
      }
    }
    guard let gap else { return groups == 8 ? address : nil }
    // What `::` stands for is at least one group.
    guard groups < 8 else { return nil }
    let behind = UInt128(groups - gap) * 16
    let front = (address >> behind) << (128 - UInt128(gap) * 16)
    return front | address & ((1 << behind) - 1)
  }

  /// An IPv4 address in dotted decimal.
  package static func text(ipv4 address: UInt32) -> String {
    "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
  }

  /// An IPv6 address: eight groups in lower case without leading zeros, the first longest run of at least two zero
  /// groups as `::`.
  package static func text(ipv6 address: UInt128) -> String {
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: address >> UInt128(112 - 16 * $0)) }
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

  private static let colon = UInt8(ascii: ":")
}
