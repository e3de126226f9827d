import CLinux
import Glibc
import SystemIO

/// An IPv4 or IPv6 address with a port.
package struct InternetAddress: Sendable {
  private var storage: sockaddr_storage

  init(_ storage: sockaddr_storage) { self.storage = storage }

  /// Reads a literal address; `*` stands for every IPv4 address, names are not looked up.
  package init(host: String, port: UInt16) throws(SystemFailure) {
    storage = sockaddr_storage()
    let literal = host == "*" ? "0.0.0.0" : host
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    if inet_pton(AF_INET, literal, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
    } else if inet_pton(AF_INET6, literal, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
    } else {
      throw SystemFailure("inet_pton", host, code: EINVAL)
    }
  }

  /// The address that a socket is bound to.
  init?(localOf descriptor: Int32) {
    storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard code == 0 else { return nil }
  }

  /// `AF_INET` or `AF_INET6`.
  package var family: Int32 { Int32(storage.ss_family) }

  /// The port in host byte order.
  package var port: UInt16 {
    withUnsafeBytes(of: storage) { bytes in
      family == AF_INET6
        ? UInt16(bigEndian: bytes.load(as: sockaddr_in6.self).sin6_port)
        : UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
    }
  }

  /// The address without the port, as inet_ntop(3) writes it.
  package var host: String {
    withUnsafeBytes(of: storage) { bytes in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
        let found: UnsafePointer<CChar>?
        if family == AF_INET6 {
          var address = bytes.load(as: sockaddr_in6.self).sin6_addr
          found = inet_ntop(AF_INET6, &address, text.baseAddress, 64)
        } else {
          var address = bytes.load(as: sockaddr_in.self).sin_addr
          found = inet_ntop(AF_INET, &address, text.baseAddress, 64)
        }
        guard let found else { return "?" }
        return String(cString: found)
      }
    }
  }

  /// The address's bytes in network order: four, or sixteen for IPv6.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: storage) { bytes in
      if family == AF_INET6 {
        var address = bytes.load(as: sockaddr_in6.self).sin6_addr
        return withUnsafeBytes(of: &address, body)
      }
      var address = bytes.load(as: sockaddr_in.self).sin_addr
      return withUnsafeBytes(of: &address, body)
    }
  }

  /// `127.0.0.1:8443` or `[::1]:8443`.
  package var text: String { family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  mutating func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    let length = socklen_t(family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
