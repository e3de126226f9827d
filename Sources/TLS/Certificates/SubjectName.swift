import Values

/// A name that a certificate is made for, and that a client checks: a DNS name or an IP address.
package enum SubjectName: Sendable, Hashable {
  /// Lower-case A-labels (RFC 5890); the first label may be `*`.
  case dns(String)
  /// The address as RFC 5952 has it.
  case address(String)

  /// Reads `text`: an IPv4 or IPv6 address (without brackets) or a DNS name of at most 253 characters in ASCII form.
  package init(_ text: String) throws(TLSFailure) {
    if let address = Self.canonicalAddress(text) {
      self = .address(address)
    } else if let name = Self.canonicalDNS(text) {
      self = .dns(name)
    } else {
      throw .invalidName(text)
    }
  }

  package var text: String {
    switch self {
    case .dns(let text), .address(let text): return text
    }
  }

  /// As OpenSSL's configuration files write it: "DNS:localhost", "IP:::1". The text holds no comma, so that a name
  /// cannot smuggle in another one.
  var configuration: String {
    switch self {
    case .dns(let text): return "DNS:\(text)"
    case .address(let text): return "IP:\(text)"
    }
  }

  /// An address of 4 or 16 bytes as text.
  static func addressText(_ bytes: [UInt8]) -> String {
    switch bytes.count {
    case 4: IPAddressText.text(ipv4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16: IPAddressText.text(ipv6: bytes.reduce(0) { $0 << 8 | UInt128($1) })
    default: "address of \(bytes.count) bytes"
    }
  }

  private static func canonicalAddress(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBytes { bytes in
      IPAddressText.ipv4(bytes).map { IPAddressText.text(ipv4: $0) }
        ?? IPAddressText.ipv6(bytes).map { IPAddressText.text(ipv6: $0) }
    }
  }

  /// A name by the rule of `HostName`, in which `_` counts as a letter: certificates of internal hosts have it.
  private static func canonicalDNS(_ text: String) -> String? {
    let name = text.lowercased()
    let isWildcard = name.hasPrefix("*.")
    let host = isWildcard ? String(name.dropFirst(2)) : name
    let isName = Array(host.utf8).withUnsafeBytes {
      HostName.isName($0, allowsUnderscore: true) && IPAddressText.ipv4($0) == nil
    }
    guard isName, name.utf8.count <= 253, !isWildcard || host.utf8.contains(UInt8(ascii: ".")) else { return nil }
    return name
  }
}
