import CLinux
import Glibc
import SystemIO

/// A TCP socket that accepts connections without blocking.
package struct ListeningSocket: ~Copyable, Sendable {
  private let socketDescriptor: FileDescriptor
  /// The address with the port that the kernel gave, as `127.0.0.1:8443` or `[::1]:8443`.
  package let address: String
  /// The port in use; never 0.
  package let port: UInt16

  /// The number to add to a `Poller`.
  package var descriptor: Int32 { socketDescriptor.raw }

  /// Binds and listens. Port 0 lets the kernel choose. With `sharesPort` several sockets of this
  /// process may listen on the same port, one for each loop.
  ///
  /// Throws `bind` with `EADDRINUSE` when somebody else listens there.
  package init(host: String, port: UInt16, sharesPort: Bool) throws(SystemFailure) {
    let subject = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var target = try InternetAddress(host: host, port: port)
    let raw = socket(
      target.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemFailure("socket", subject) }
    let descriptor = FileDescriptor(owning: raw)
    var one: Int32 = 1
    setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    if sharesPort { setsockopt(raw, SOL_SOCKET, SO_REUSEPORT, &one, 4) }
    if target.family == AF_INET6 { setsockopt(raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, 4) }
    guard target.withSockaddr({ bind(raw, $0, $1) }) == 0 else { throw SystemFailure("bind", subject) }
    guard listen(raw, 4096) == 0 else { throw SystemFailure("listen", subject) }
    try self.init(listening: descriptor)
  }

  /// Takes over a socket that listens already, as systemd hands them over.
  package init(listening descriptor: consuming FileDescriptor) throws(SystemFailure) {
    let raw = descriptor.raw
    let flags = fcntl(raw, F_GETFL)
    _ = fcntl(raw, F_SETFL, flags | O_NONBLOCK)
    guard let bound = InternetAddress(localOf: raw) else { throw SystemFailure("getsockname") }
    guard bound.family == AF_INET || bound.family == AF_INET6 else {
      throw SystemFailure("getsockname", "socket \(raw)", code: EAFNOSUPPORT)
    }
    // Connections take both over. A crowd that asks for much and reads nothing would otherwise fill the memory that the
    // kernel has for all of TCP, and everybody's packets would be dropped.
    var unsent: Int32 = 256 * 1024
    setsockopt(raw, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, 4)
    var one: Int32 = 1
    setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    address = bound.text
    port = bound.port
    socketDescriptor = descriptor
  }

  /// What one call of `accept` came to.
  package enum Acceptance {
    case connection(descriptor: Int32, peer: InternetAddress)
    /// Nobody waits any more.
    case none
    /// The process or the system has no descriptor or memory left: pause before the next try.
    case exhausted(SystemFailure)
  }

  /// Takes the next waiting connection; its descriptor is non-blocking and owned by the caller.
  package func accept() -> Acceptance {
    while true {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let raw = packhouse_accept4(socketDescriptor.raw, &storage, &length)
      if raw >= 0 { return .connection(descriptor: raw, peer: InternetAddress(storage)) }
      switch errno {
      case EAGAIN: return .none
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(SystemFailure("accept4", address))
      // The socket itself is of no use: nothing is gained by trying on.
      case EBADF, EINVAL, ENOTSOCK: return .exhausted(SystemFailure("accept4", address))
      // Everything else concerns the one connection that is gone already.
      default: continue
      }
    }
  }
}

/// A descriptor that is kept for the moment when the process has no other: it makes room for one call of `accept`, so
/// that a client can be told by a close. Used by one thread.
package struct ReserveDescriptor: ~Copyable {
  private var raw: Int32 = -1

  /// Takes a descriptor, when there is one.
  package init() { refill() }

  deinit { if raw >= 0 { close(raw) } }

  /// Takes a descriptor again after one was lost to another thread.
  package mutating func refill() {
    if raw < 0 { raw = packhouse_openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0) }
  }

  /// Gives the descriptor back to the process while `body` runs.
  package mutating func lend(_ body: () -> Void) {
    if raw >= 0 { close(raw) }
    raw = -1
    body()
    refill()
  }
}
