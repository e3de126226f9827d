/// A host: a DNS name of A-labels in lower case without a trailing dot, or an IP address.
package enum HostName: Hashable, Sendable {
  case dns(String)
  case ipv4(UInt32)
  case ipv6(UInt128)

  /// Reads `host`, `host:port`, `1.2.3.4:port` or `[v6]:port`; the port and one trailing dot are dropped.
  /// - Returns: nil for what is not a host, see `isName`, and for a port above 65535.
  package init?(authority: String) {
    let found = Array(authority.utf8).withUnsafeBytes { Self.read($0) }
    guard let found else { return nil }
    self = found
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> HostName? {
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), isPort(bytes[(close + 1)...]),
        let address = IPAddressText.ipv6(UnsafeRawBufferPointer(rebasing: bytes[1..<close]))
      else { return nil }
      return .ipv6(address)
    }
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard isPort(bytes[colon...]) else { return nil }
    var name = UnsafeRawBufferPointer(rebasing: bytes[..<colon])
    if name.last == UInt8(ascii: ".") { name = UnsafeRawBufferPointer(rebasing: name.dropLast()) }
    guard isName(name) else { return nil }
    if let address = IPAddressText.ipv4(name) { return .ipv4(address) }
    return .dns(String(decoding: name, as: UTF8.self).lowercased())
  }

  /// Whether `name`, which has no trailing dot, is a DNS name of at most 253 characters or an IPv4 address. This is the
  /// one rule of what a host is: labels of 1 to 63 letters, digits and hyphens with no hyphen at either end (RFC 1123
  /// section 2.1), and a name whose last label is a number only as an IPv4 address. Allocates nothing, so that the host
  /// of every request can be checked.
  ///
  /// - Parameter allowsUnderscore: whether `_` counts as a letter, for names that stand in a certificate.
  package static func isName(_ name: UnsafeRawBufferPointer, allowsUnderscore: Bool = false) -> Bool {
    guard (1...253).contains(name.count) else { return false }
    var start = 0
    var isNumber = true
    for index in 0..<name.count {
      let byte = name[index]
      if byte == UInt8(ascii: ".") {
        guard isLabel(name, start, index) else { return false }
        start = index + 1
        isNumber = true
      } else if byte &- 0x30 >= 10 {
        isNumber = false
        guard (byte | 0x20) &- 0x61 < 26 || byte == hyphen || allowsUnderscore && byte == UInt8(ascii: "_") else {
          return false
        }
      }
    }
    return isLabel(name, start, name.count) && (!isNumber || IPAddressText.ipv4(name) != nil)
  }

  private static func isLabel(_ name: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
    end > start && end - start <= 63 && name[start] != hyphen && name[end - 1] != hyphen
  }

  private static let hyphen = UInt8(ascii: "-")

  /// Nothing, or a colon and a port.
  private static func isPort(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = bytes.first else { return true }
    let digits = bytes.dropFirst()
    return first == UInt8(ascii: ":") && (1...5).contains(digits.count)
      && digits.allSatisfy { (0x30...0x39).contains($0) }
      && digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65535
  }

  /// The host as it stands in a URL; IPv6 addresses in brackets, in the form of RFC 5952.
  package var text: String {
    switch self {
    case .dns(let name): name
    case .ipv4(let address): IPAddressText.text(ipv4: address)
    case .ipv6(let address): "[\(IPAddressText.text(ipv6: address))]"
    }
  }
}
