import Glibc
import Synchronization

/// Ports for daemons that must come back at the same one. They lie below those that the kernel gives to outgoing
/// connections, so that none of the many clients here takes one while its daemon is restarted, and below those that
/// `packhouse dev` chooses from.
enum Ports {
  private static let next = Atomic<UInt32>(UInt32(getpid()) &* 37)

  /// A port that nobody listens on, given out once.
  static func take() throws -> UInt16 {
    for _ in 0..<2000 {
      let port = UInt16(10_000 + next.wrappingAdd(1, ordering: .relaxed).oldValue % 10_000)
      if isFree(port) { return port }
    }
    throw Failure("no free port")
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 16) }
    } == 0
  }

  static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}
