import COpenSSL
import Glibc
import SystemIO

@testable import TLS

/// A client that can ask for new keys (RFC 8446 section 4.6.3), on a socket that blocks.
final class KeyUpdatingClient {
  private let tls: MemoryClient
  private let socket: FileDescriptor

  init(port: UInt16, cipherSuite: String) throws {
    tls = try MemoryClient(cipherSuite: cipherSuite)
    socket = FileDescriptor(
      owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket.raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let descriptor = socket.raw
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, 16) }
    }
    guard code == 0 else { throw SystemFailure("connect") }
    while true {
      tls.handshake()
      sendOutput()
      if tls.isEstablished { break }
      try receive()
    }
  }

  /// The next request begins with a KeyUpdate that asks for one in return.
  func askForNewKeys() -> Bool { tls.updateKey(SSL_KEY_UPDATE_REQUESTED) }

  /// The `length` bytes behind the head of the answer to `request`.
  func body(of request: String, length: Int) throws -> ArraySlice<UInt8> {
    guard tls.write(Array(request.utf8)) else { throw SystemFailure("write") }
    sendOutput()
    var received: [UInt8] = []
    while true {
      if let head = received.firstRange(of: Array("\r\n\r\n".utf8)), received.count >= head.upperBound + length {
        return received[head.upperBound...]
      }
      switch tls.read(upTo: 20_000) {
      case .bytes(let piece): received += piece
      case .wantsInput: try receive()
      case .closed, .failed: return received[...]
      }
    }
  }

  private func sendOutput() {
    let bytes = tls.takeOutput()
    _ = Glibc.send(socket.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket.raw, &buffer, buffer.count, 0)
    guard count > 0 else { throw SystemFailure("recv") }
    buffer.withUnsafeBytes { tls.take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}
