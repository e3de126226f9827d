import EventLoop
import Glibc
import HTTPCore
import Synchronization
import SystemIO
import TLS

@testable import HTTPServer

/// A real server on a port of the kernel's choice, with a certificate of its own, and clients for it.
final class ServerFixture {
  let server: HTTPServer
  let workers: WorkerPool
  let trust: ClientTLS
  let port: UInt16
  let authority: CertificateAuthority
  let tickets: TicketKeys
  private let clock: TestClock?

  /// `names` has the names of each certificate; with a `clock` time stands still until the test moves it.
  init(
    limits: ServerLimits = ServerLimits(), loops: Int = 1, names: [[String]] = [["localhost"]],
    clock: TestClock? = nil, configure: (inout HTTPServer.Listener) -> Void = { _ in }, responder: @escaping Responder
  ) throws {
    self.clock = clock
    authority = try CertificateAuthority.makeDevelopment(now: WallClock.system.now())
    tickets = try TicketKeys()
    let tls = try Self.context(authority, names: names, tickets: tickets)
    trust = try ClientTLS(trust: .only(PEMText(file: "authority", bytes: authority.certificatePEM)))
    workers = try WorkerPool(name: "worker", threads: 2, capacity: 64)
    var listener = HTTPServer.Listener(
      sockets: [.init(host: "127.0.0.1", port: 0)], tls: tls, responder: responder)
    configure(&listener)
    server = try HTTPServer(
      listeners: [listener], loopCount: loops, limits: limits, workers: workers, clock: clock?.clock ?? .coarse)
    let address = server.addresses[0][0]
    port = UInt16(address.split(separator: ":")[1]) ?? 0
  }

  /// A context with fresh certificates of the authority.
  static func context(
    _ authority: CertificateAuthority, names: [[String]], tickets: TicketKeys
  ) throws -> ServerTLSContext {
    let pairs = try names.map { names in
      let leaf = try authority.issueLeaf(names: names, now: WallClock.system.now())
      return ServerCertificates.Pair(
        certificate: PEMText(file: "leaf", bytes: leaf.certificatePEM), key: PEMText(file: "key", bytes: leaf.keyPEM))
    }
    return try ServerTLSContext(ServerCertificates(pairs), tickets: tickets, loopCount: 2)
  }

  /// What the server has counted, once `isEnough` says that it is all there.
  func statistics(_ isEnough: (ListenerStatistics) -> Bool) -> ListenerStatistics {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let statistics = server.statistics[0]
      if isEnough(statistics) || ContinuousClock.now > deadline { return statistics }
      usleep(20_000)
    }
  }

  /// Lets `seconds` pass, at least ten, and waits until every loop has looked at its deadlines.
  func pass(seconds: Int64) {
    precondition(seconds >= 10)
    clock?.pass(seconds: seconds)
    for _ in 0..<1000 where !server.isAlive { usleep(20_000) }
  }

  func stop() {
    clock?.resume()
    server.drain(graceSeconds: 1)
    workers.stop()
  }

  /// A connected client whose handshake is done.
  func connect(preamble: [UInt8] = [], receiveBuffer: Int32? = nil) throws -> Client {
    try Client(port: port, trust: trust, preamble: preamble, receiveBuffer: receiveBuffer)
  }

  /// One TLS connection that speaks in bytes.
  final class Client {
    private let connection: BlockingTLSConnection
    private let raw: Int32
    private var received: [UInt8] = []

    /// `preamble` goes out before TLS, byte by byte.
    init(port: UInt16, trust: ClientTLS, preamble: [UInt8] = [], receiveBuffer: Int32? = nil) throws {
      let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      if var size = receiveBuffer { setsockopt(raw, SOL_SOCKET, SO_RCVBUF, &size, 4) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(raw, $0, 16) }
      }
      self.raw = raw
      guard code == 0 else { throw SystemFailure("connect") }
      var one: Int32 = 1
      setsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
      for var byte in preamble { _ = Glibc.send(raw, &byte, 1, Int32(MSG_NOSIGNAL)) }
      _ = fcntl(raw, F_SETFL, O_NONBLOCK)
      connection = try BlockingTLSConnection(
        over: FileDescriptor(owning: raw), context: trust, host: "127.0.0.1", label: "test",
        patience: ClientPatience(noProgress: .seconds(20)))
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try connection.send($0) } }

    func close() { connection.close() }

    /// Gathers what is sent, so that it leaves in one segment with the end.
    func holdOutput() {
      var one: Int32 = 1
      setsockopt(raw, Int32(IPPROTO_TCP), TCP_CORK, &one, 4)
    }

    /// Ends this side of the TCP connection only.
    func endOutput() { Glibc.shutdown(raw, Int32(SHUT_WR)) }

    /// Reads until the head's end and its Content-Length of body; nil at the end of the stream.
    func response(toHead: Bool = false) throws -> Response? {
      while true {
        if let response = take(toHead: toHead) { return response }
        guard try more() else { return nil }
      }
    }

    /// Reads until `count` bytes have come that no response was taken from, or the stream ends.
    func receive(atLeast count: Int) throws -> Bool {
      while received.count < count { guard try more() else { return false } }
      return true
    }

    /// What has come behind the first head.
    var bodySoFar: Int? { received.firstRange(of: Array("\r\n\r\n".utf8)).map { received.count - $0.upperBound } }

    /// Whether the server has ended the stream.
    func isClosed() throws -> Bool { try received.isEmpty && !more() }

    private func more() throws -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count: Int
      do {
        count = try buffer.withUnsafeMutableBytes { try connection.receive(into: $0) }
      } catch TLSFailure.closed {
        return false
      }
      received += buffer[0..<count]
      return count > 0
    }

    private func take(toHead: Bool) -> Response? {
      guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let lines = String(decoding: received[0..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
      guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
      var fields: [String: String] = [:]
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
      }
      let bodiless = toHead || status == 304 || status == 204 || status / 100 == 1
      let length = bodiless ? 0 : Int(fields["content-length"] ?? "0") ?? 0
      guard received.count >= end.upperBound + length else { return nil }
      let body = Array(received[end.upperBound..<(end.upperBound + length)])
      received.removeFirst(end.upperBound + length)
      return Response(status: status, fields: fields, body: body)
    }
  }

  struct Response {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]
  }
}

/// Time that passes only when a test says so.
final class TestClock: Sendable {
  /// Nanoseconds, and the machine's time since which they pass by themselves again.
  private let state = Mutex<(now: Int64, resumed: Int64?)>((1_000_000_000_000, nil))

  var clock: MonotonicClock {
    MonotonicClock {
      self.state.withLock { state in
        state.now + (state.resumed.map { MonotonicClock.system.now() - $0 } ?? 0)
      }
    }
  }

  func pass(seconds: Int64) { state.withLock { $0.now += seconds * 1_000_000_000 } }

  func resume() { state.withLock { $0.resumed = $0.resumed ?? MonotonicClock.system.now() } }
}

extension Array where Element == UInt8 {
  func firstRange(of needle: [UInt8]) -> Range<Int>? {
    guard count >= needle.count else { return nil }
    for start in 0...(count - needle.count) where self[start..<(start + needle.count)].elementsEqual(needle) {
      return start..<(start + needle.count)
    }
    return nil
  }
}
