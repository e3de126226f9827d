import CLinux
import EventLoop
import Glibc
import SystemIO
import TLS

/// Makes TCP connections to a host by trying its addresses one after the other.
enum SocketConnector {
  /// A connected, non-blocking socket. Each address gets `patience.connect`, all together `patience.whole`; the failure
  /// of the last one is thrown. What `admits` refuses is not connected to: the address that was looked at is the one
  /// that is used, whatever the name service says a moment later.
  static func connect(
    to url: HTTPSURL, patience: ClientPatience, admits: HTTPSClient.AddressRule? = nil
  ) throws(HTTPClientFailure) -> FileDescriptor {
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
    let end = patience.whole.map { ContinuousClock.now + $0 }
    while let entry = next {
      if let end, .now >= end { throw last }
      do throws(HTTPClientFailure) {
        if let admits { try check(entry.pointee, of: url, admits) }
        return try connect(to: entry.pointee, label: url.label, patience: patience)
      } catch { last = error }
      next = entry.pointee.ai_next
    }
    throw last
  }

  private static func check(
    _ entry: addrinfo, of url: HTTPSURL, _ admits: HTTPSClient.AddressRule
  ) throws(HTTPClientFailure) {
    let pointer = UnsafeRawPointer(entry.ai_addr)
    var address: IPAddress?
    if let pointer, entry.ai_family == AF_INET, Int(entry.ai_addrlen) >= MemoryLayout<sockaddr_in>.size {
      let socket = pointer.loadUnaligned(as: sockaddr_in.self)
      address = withUnsafeBytes(of: socket.sin_addr) { IPAddress(Array($0)) }
    } else if let pointer, entry.ai_family == AF_INET6, Int(entry.ai_addrlen) >= MemoryLayout<sockaddr_in6>.size {
      let socket = pointer.loadUnaligned(as: sockaddr_in6.self)
      address = withUnsafeBytes(of: socket.sin6_addr) { IPAddress(Array($0)) }
    }
    guard let address else { throw .unknownHost(url.host, reason: "it has an address of an unknown family") }
    guard admits(address) else { throw .addressNotAllowed(host: url.host, address: address.text) }
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
      let outcome = try ClientSocketWait.wait(
        raw, reading: false, writing: true, until: deadline, cancellation: patience.cancellation)
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

extension HTTPSURL {
  /// Connects, does the TLS handshake without trusting anybody, and tells what the server showed.
  package func probe(patience: ClientPatience = ClientPatience()) throws(HTTPClientFailure) -> TLSProbe {
    let socket = try SocketConnector.connect(to: self, patience: patience)
    do throws(TLSFailure) {
      return try TLSProbe(over: socket, host: host, label: label, patience: patience)
    } catch { throw .tls(error) }
  }
}
