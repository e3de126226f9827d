/// The addresses that share a prefix: `10.0.0.0/8`, `2001:db8::/32`; a single address without a slash (RFC 4632
/// section 3.1, RFC 4291 section 2.3).
package struct AddressRange: Hashable, Sendable {
  private let first: IPAddress
  /// Bits of 128 that must be equal.
  private let prefix: Int

  /// Nil when it is not an address, the prefix is too long or not written plainly, or bits are set after the prefix:
  /// those are more often a slip than meant.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
    let isMapped = address.isIPv4 && !text.contains(":")
    let width = isMapped ? 32 : 128
    var length = width
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]), given <= width,
        String(given) == parts[1]
      else { return nil }
      length = given
    }
    first = address
    prefix = length + 128 - width
    guard Self.masked(address, prefix) == address else { return nil }
  }

  /// Whether `address` is one of them.
  package func contains(_ address: IPAddress) -> Bool { Self.masked(address, prefix) == first }

  private static func masked(_ address: IPAddress, _ prefix: Int) -> IPAddress {
    // Shifting by 64 or more gives 0 with Swift's smart shift.
    let high = UInt64.max << UInt64(64 - min(64, prefix))
    let low = UInt64.max << UInt64(128 - max(64, prefix))
    return IPAddress(high: address.high & high, low: address.low & low)
  }
}

extension [AddressRange] {
  /// Whether `address` is in one of the ranges.
  package func contains(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}
