import Values

/// An IPv4 or IPv6 address as a number of 128 bits. IPv4 stands in its mapped form (`::ffff:0:0/96`, RFC 4291 section
/// 2.5.5.2), so that both spellings of one client are equal.
package struct IPAddress: Hashable, Sendable {
  /// The upper and the lower half.
  package let high: UInt64
  package let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Four bytes of IPv4 or sixteen of IPv6, in network order; nil for another number of bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4: self.init(high: 0, low: bytes.reduce(0xffff) { $0 << 8 | UInt64($1) })
    case 16:
      self.init(
        high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }

  /// A literal address without brackets, zone and port.
  package init?(_ text: String) {
    var text = text
    let number = text.withUTF8 { characters -> UInt128? in
      let bytes = UnsafeRawBufferPointer(characters)
      return IPAddressText.ipv4(bytes).map { 0xffff << 32 | UInt128($0) } ?? IPAddressText.ipv6(bytes)
    }
    guard let number else { return nil }
    self.init(high: UInt64(number >> 64), low: UInt64(truncatingIfNeeded: number))
  }

  /// Whether it is an IPv4 address.
  package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

  /// As RFC 5952 has it; IPv4 in dotted decimal.
  package var text: String {
    isIPv4
      ? IPAddressText.text(ipv4: UInt32(truncatingIfNeeded: low))
      : IPAddressText.text(ipv6: UInt128(high) << 64 | UInt128(low))
  }
}

extension IPAddress {
  /// What a limit for each address counts: an IPv4 address, or the /64 network of an IPv6 address, all of which one
  /// household or one machine has to itself (RFC 6177).
  package var limitKey: String { isIPv4 ? text : "\(IPAddress(high: high, low: 0).text)/64" }
}

extension InternetAddress {
  /// The address as a number.
  package var number: IPAddress {
    withBytes { IPAddress($0) } ?? IPAddress(high: 0, low: 0)
  }
}

extension IPAddress {
  /// What stands for one client when its attempts are counted: an IPv4 address itself, and of an IPv6 address the /64
  /// network, of which one machine has all addresses (RFC 4862).
  package var network: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// Whether the address is one of the public internet: no private, shared, loopback, link-local, multicast or
  /// documentation address, and none that stands for an IPv4 address in a way that a translator might undo (the
  /// registries of RFC 6890; of IPv6 only 2000::/3 is given out, RFC 4291 section 2.4).
  package var isPublic: Bool {
    isIPv4 ? !Self.specialIPv4.contains(self) : high >> 61 == 1 && !Self.specialIPv6.contains(self)
  }

  private static let specialIPv4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4",
  ].compactMap { AddressRange($0) }

  private static let specialIPv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
    .compactMap { AddressRange($0) }
}
