/// Where a listener listens: `"127.0.0.1:8443"`, `"[::1]:0"`, `"*:443"`. Names are not resolved.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  package enum Host: Hashable, Sendable {
    /// All addresses of the machine, IPv4 and IPv6.
    case any
    /// In dotted decimal.
    case ipv4(String)
    /// Without brackets. Only its characters are checked; inet_pton(3) decides.
    case ipv6(String)
  }

  package let host: Host
  /// 0 lets the kernel choose.
  package let port: UInt16

  /// Nil unless it is an IP address or `*` with a port.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let portText = text[text.index(after: colon)...]
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText) else { return nil }
    self.port = port
    let name = text[..<colon]
    if name == "*" {
      host = .any
    } else if name.hasPrefix("["), name.hasSuffix("]") {
      let address = name.dropFirst().dropLast()
      let isPlausible = address.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) || $0 == UInt8(ascii: ":")
          || $0 == UInt8(ascii: ".")
      }
      guard isPlausible, address.utf8.filter({ $0 == UInt8(ascii: ":") }).count >= 2, address.utf8.count <= 45 else {
        return nil
      }
      host = .ipv6(String(address))
    } else {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let isDotted = parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part).map { String($0) == part } == true
      }
      guard parts.count == 4, isDotted else { return nil }
      host = .ipv4(String(name))
    }
  }

  package var description: String {
    switch host {
    case .any: "*:\(port)"
    case .ipv4(let address): "\(address):\(port)"
    case .ipv6(let address): "[\(address)]:\(port)"
    }
  }
}
