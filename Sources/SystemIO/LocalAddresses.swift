import CLinux
import Glibc

/// The addresses under which other machines of the local network can reach this one.
package enum LocalAddresses {
  /// An address of a network interface that is up.
  package struct Entry: Sendable, Equatable {
    /// The interface: `eth0`.
    package let interface: String
    /// As inet_ntop(3) writes it.
    package let text: String
    package let isIPv6: Bool

    package init(interface: String, text: String, isIPv6: Bool) {
      self.interface = interface
      self.text = text
      self.isIPv6 = isIPv6
    }
  }

  /// The addresses of this machine, the most useful first: without loopback, and without addresses that are good on one
  /// link only. Empty when the system does not tell.
  package static func all() -> [Entry] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0, let list else { return [] }
    defer { freeifaddrs(list) }
    var found: [Entry] = []
    var next: UnsafeMutablePointer<ifaddrs>? = list
    while let entry = next {
      next = entry.pointee.ifa_next
      guard packhouse_is_reachable_interface(entry.pointee.ifa_flags) == 1, let address = entry.pointee.ifa_addr else {
        continue
      }
      let name = String(cString: entry.pointee.ifa_name)
      if let text = text(address) {
        let new = Entry(interface: name, text: text, isIPv6: Int32(address.pointee.sa_family) == AF_INET6)
        if !found.contains(new) { found.append(new) }
      }
    }
    return sorted(found)
  }

  /// Interfaces of cables and radio before those of containers and tunnels, IPv4 before IPv6.
  package static func sorted(_ entries: [Entry]) -> [Entry] {
    func rank(_ entry: Entry) -> Int {
      let isVirtual = ["docker", "veth", "br-", "virbr", "tun", "tap", "wg", "lxc", "podman", "cni", "tailscale"]
        .contains { entry.interface.hasPrefix($0) }
      return (isVirtual ? 2 : 0) + (entry.isIPv6 ? 1 : 0)
    }
    return entries.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
  }

  private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let written: UnsafePointer<CChar>?
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        written = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
          withUnsafePointer(to: &v4.pointee.sin_addr) { inet_ntop(AF_INET, $0, buffer.baseAddress, 64) }
        }
      case AF_INET6:
        written = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
          withUnsafePointer(to: &v6.pointee.sin6_addr) { inet_ntop(AF_INET6, $0, buffer.baseAddress, 64) }
        }
      default: return nil
      }
      guard let text = written.map({ String(cString: $0) }), !isLinkLocal(text) else { return nil }
      return text
    }
  }

  private static func isLinkLocal(_ text: String) -> Bool {
    ["fe8", "fe9", "fea", "feb"].contains { text.hasPrefix($0) } || text.hasPrefix("169.254.")
  }
}
