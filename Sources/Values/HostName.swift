/// A host as the domain compares it: a DNS name of A-labels in lower case without a trailing dot, or an IP address.
package enum HostName: Hashable, Sendable {
  case dns(String)
  case ipv4([UInt8])
  case ipv6([UInt8])

  /// Reads `host`, `host:port`, `1.2.3.4:port` or `[v6]:port`; the port and one trailing dot are dropped.
  /// - Returns: nil for what is no host: other characters, empty or overlong labels, names that end in digits only.
  package init?(authority: String) {
    let bytes = Array(authority.utf8)
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), Self.isPort(bytes[(close + 1)...]),
        let address = IPv6Text.parse(bytes[1..<close])
      else { return nil }
      self = .ipv6(address)
      return
    }
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard Self.isPort(bytes[colon...]) else { return nil }
    var name = bytes[..<colon]
    if name.last == UInt8(ascii: ".") { name.removeLast() }
    guard (1...253).contains(name.count) else { return nil }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ Self.isLabel($0) }), let last = labels.last else { return nil }
    if last.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let address = IPv6Text.dottedDecimal(name) else { return nil }
      self = .ipv4(address)
    } else {
      self = .dns(String(decoding: name, as: UTF8.self).lowercased())
    }
  }

  /// Letters, digits and hyphens, 1 to 63 of them, no hyphen at either end.
  static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    guard (1...63).contains(label.count), label.first != 0x2D, label.last != 0x2D else { return false }
    return label.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
    }
  }

  /// Nothing, or a colon and a port.
  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    let digits = bytes.dropFirst()
    return first == UInt8(ascii: ":") && (1...5).contains(digits.count)
      && digits.allSatisfy { (0x30...0x39).contains($0) }
      && Int(String(decoding: digits, as: UTF8.self)).map { $0 <= 65535 } == true
  }

  /// The host as it stands in a URL; IPv6 addresses in brackets, in the form of RFC 5952.
  package var text: String {
    switch self {
    case .dns(let name): name
    case .ipv4(let bytes): bytes.map { String($0) }.joined(separator: ".")
    case .ipv6(let bytes): "[\(IPv6Text.render(bytes))]"
    }
  }
}
