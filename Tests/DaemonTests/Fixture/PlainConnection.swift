import Glibc
import SystemIO

/// A TCP connection without TLS: for what is no TLS at all, or not all of it.
final class PlainConnection {
  let descriptor: Int32

  init(port: UInt16, from source: String? = nil) throws { descriptor = try Self.connect(port, from: source) }

  deinit { close(descriptor) }

  /// Connects to a port of the loopback interface. `source` is the address to come from: 127.0.0.0/8 is all there.
  static func connect(_ port: UInt16, receiveBuffer: Int32? = nil, from source: String? = nil) throws -> Int32 {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemFailure("socket") }
    if var size = receiveBuffer { setsockopt(raw, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    if let source {
      var address = Ports.loopback(0)
      inet_pton(AF_INET, source, &address.sin_addr)
      guard Self.call(&address, { bind(raw, $0, 16) }) == 0 else { throw SystemFailure("bind") }
    }
    var address = Ports.loopback(port)
    guard Self.call(&address, { Glibc.connect(raw, $0, 16) }) == 0 else {
      let failure = SystemFailure("connect")
      close(raw)
      throw failure
    }
    return raw
  }

  private static func call(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
    withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) } }
  }

  /// Sends what the socket takes; false when the server is gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count }

  /// The next close resets the connection (SO_LINGER 0) instead of ending it.
  static func resetAtClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Whether the server ends the connection within that time; what it sends before is thrown away.
  func ends(within seconds: Int32 = 60) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, seconds * 1000) > 0 else { return false }
      if recv(descriptor, &buffer, buffer.count, 0) <= 0 { return true }
    }
  }
}
