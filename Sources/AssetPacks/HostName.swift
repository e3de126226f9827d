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

  /// The host as it stands in a URL; IPv6 addresses in brackets, all eight groups.
  package var text: String {
    switch self {
    case .dns(let name): name
    case .ipv4(let bytes): bytes.map { String($0) }.joined(separator: ".")
    case .ipv6(let bytes):
      "["
        + stride(from: 0, to: bytes.count - 1, by: 2)
        .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":") + "]"
    }
  }
}

/// IP addresses as text (RFC 4291 section 2.2).
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

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}
