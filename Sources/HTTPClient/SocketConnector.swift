import CLinux
import Glibc
import SystemIO
import TLS

/// Makes TCP connections to a host by trying its addresses one after the other.
enum SocketConnector {
  /// A connected, non-blocking socket. Each address gets `patience.connect`; the failure of the last one is thrown.
  static func connect(to url: HTTPSURL, patience: ClientPatience) throws(HTTPClientFailure) -> FileDescriptor {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG
    // ADDRCONFIG leaves the loopback address out on a machine without a network.
    if url.host.contains(":") || url.host.allSatisfy({ $0.isNumber || $0 == "." }) { hints.ai_flags = AI_NUMERICHOST }
    var list: UnsafeMutablePointer<addrinfo>?
    var code = getaddrinfo(url.host, String(url.port), &hints, &list)
    if code == EAI_NONAME, hints.ai_flags & AI_ADDRCONFIG != 0 {
      hints.ai_flags = AI_NUMERICSERV
      code = getaddrinfo(url.host, String(url.port), &hints, &list)
    }
    guard code == 0, let list else { throw .unknownHost(url.host, reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }

    var last = HTTPClientFailure.unknownHost(url.host, reason: "it has no address")
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let entry = next {
      do throws(HTTPClientFailure) {
        return try connect(to: entry.pointee, label: url.label, patience: patience)
      } catch { last = error }
      next = entry.pointee.ai_next
    }
    throw last
  }

  private static func connect(
    to address: addrinfo, label: String, patience: ClientPatience
  ) throws(HTTPClientFailure) -> FileDescriptor {
    let kind = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let raw = socket(address.ai_family, kind, address.ai_protocol)
    guard raw >= 0 else { throw .unreachable(label, SystemFailure("socket")) }
    let descriptor = FileDescriptor(owning: raw)
    // Requests are small and waited for: Nagle's algorithm would hold their last piece back.
    var on: Int32 = 1
    setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))

    if Glibc.connect(raw, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
    guard errno == EINPROGRESS || errno == EINTR else { throw failure(errno, label) }
    let deadline = ContinuousClock.now + patience.connect
    do throws(SystemFailure) {
      let outcome = try ClientSocketWait.wait(raw, reading: false, writing: true, until: deadline)
      if outcome == .timedOut {
        throw SystemFailure("connect", label, code: ETIMEDOUT)
      }
    } catch {
      throw error.code == ETIMEDOUT
        ? .connectTimedOut(label, seconds: Int(patience.connect.components.seconds)) : .unreachable(label, error)
    }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
      throw .unreachable(label, SystemFailure("getsockopt"))
    }
    guard code == 0 else { throw failure(code, label) }
    return descriptor
  }

  private static func failure(_ code: Int32, _ label: String) -> HTTPClientFailure {
    code == ECONNREFUSED ? .refused(label) : .unreachable(label, SystemFailure("connect", label, code: code))
  }
}
