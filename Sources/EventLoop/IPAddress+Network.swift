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
