import CLinux
import Glibc

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

  /// A literal address without brackets, zone and port, as inet_pton(3) reads it.
  package init?(_ text: String) {
    // A NUL would end the text early for C.
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(withUnsafeBytes(of: &v4) { Array($0) })
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(withUnsafeBytes(of: &v6) { Array($0) })
    } else {
      return nil
    }
  }

  /// Whether it is an IPv4 address.
  package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

  /// As inet_ntop(3) writes it; IPv4 in dotted decimal.
  package var text: String {
    let bytes =
      (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64($0))) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64($0))) }
    let address = isIPv4 ? Array(bytes[12...]) : bytes
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      let found = address.withUnsafeBytes {
        inet_ntop(isIPv4 ? AF_INET : AF_INET6, $0.baseAddress, text.baseAddress, 64)
      }
      return found.map { String(cString: $0) } ?? "?"
    }
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
