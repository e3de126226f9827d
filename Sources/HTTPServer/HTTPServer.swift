import CLinux
import EventLoop
import Glibc
import HTTPCore
import Observability
import SystemIO
import TLS

/// Decides what a request is answered with. It runs on a loop's thread: it must not block, and on the
/// paths that devices use it must not allocate.
package typealias Responder = @Sendable (RequestView) -> ResponsePlan

/// An HTTPS server: some listeners, and for each core a loop that serves all of them.
package final class HTTPServer: Sendable {
  /// Where a listener listens and what it answers with.
  package struct Listener {
    package var sockets: [Binding]
    package var tls: ServerTLSContext
    package var responder: Responder
    /// For statistics.
    package var name = "client"
    /// Trusted proxies: the clients they name count for the log and the limit per address.
    package var trustedProxies: [AddressRange] = []
    /// Whether trusted proxies send a PROXY header (version 2) in front of TLS.
    package var expectsProxyHeader = false
    /// Sockets that already listen, as systemd passes them; with them `sockets` is not bound.
    package var inherited: [ListeningSocketBox] = []
    /// How many connections it accepts; nil for the server's limit.
    package var admission: ServerLoad.Admission?

    package init(sockets: [Binding], tls: ServerTLSContext, responder: @escaping Responder) {
      self.sockets = sockets
      self.tls = tls
      self.responder = responder
    }
  }

  /// An address to listen on: a literal host (`*` for every IPv4 address) and a port (0: the kernel chooses).
  package struct Binding: Sendable, Equatable {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  /// How busy the server is.
  package let load: ServerLoad
  /// What was delivered, by version.
  package let deliveries = DeliveryTally()
  /// The addresses of each listener, with the ports that the kernel gave.
  package let addresses: [[String]]
  private let names: [String]
  private let heap = HeapTrimmer()
  private let loops: [ServerLoop]
  private let clock: MonotonicClock
  private let threads: Condition<[SystemThread]>

  /// Binds every address and starts `loopCount` threads.
  ///
  /// Throws `bind` with the address when it is in use; nothing is left behind then.
  package init(
    listeners: [Listener], loopCount: Int, limits: ServerLimits, workers: WorkerPool, accessLog: AccessLog? = nil,
    clock: MonotonicClock = .coarse
  ) throws(SystemFailure) {
    packhouse_keep_freed_buffers()
    let count = max(1, loopCount)
    var socketsOfLoop = [[(index: Int, socket: ListeningSocketBox)]](repeating: [], count: count)
    var addresses: [[String]] = []
    for (index, listener) in listeners.enumerated() {
      var bound: [String] = []
      for socket in listener.inherited {
        bound.append(socket.socket.address)
        for loop in socketsOfLoop.indices { socketsOfLoop[loop].append((index, socket)) }
      }
      for binding in listener.inherited.isEmpty ? listener.sockets : [] {
        let sockets = try Self.bind(binding, count: count)
        bound.append(sockets[0].socket.address)
        for (loop, socket) in sockets.enumerated() { socketsOfLoop[loop].append((index, socket)) }
      }
      addresses.append(bound)
    }
    self.addresses = addresses
    names = listeners.map(\.name)
    let usual = ServerLoad.Admission(
      connections: limits.connections, connectionsPerAddress: limits.connectionsPerAddress)
    load = ServerLoad(listeners.map { $0.admission ?? usual })
    let endpoints = listeners.map {
      ServerLoop.Endpoint(
        tls: $0.tls, responder: $0.responder, trustedProxies: $0.trustedProxies,
        expectsProxyHeader: $0.expectsProxyHeader)
    }
    let shared = ServerLoop.Shared(
      limits: limits, workers: workers, load: load, tally: deliveries, accessLog: accessLog, clock: clock)
    self.clock = clock
    var loops: [ServerLoop] = []
    for (number, sockets) in socketsOfLoop.enumerated() {
      loops.append(try ServerLoop(number: number, endpoints: endpoints, listeners: sockets, shared: shared))
    }
    self.loops = loops
    threads = Condition([])
    do throws(SystemFailure) {
      for (index, loop) in loops.enumerated() {
        let thread = try SystemThread(name: "loop \(index)") { loop.run() }
        threads.withLock { $0.append(thread) }
      }
    } catch {
      drain(graceSeconds: 0)
      throw error
    }
  }

  /// One socket for each loop. The kernel lets processes of the same user share a port when all of them
  /// ask for it, so a first socket that does not ask finds out whether the port is free.
  private static func bind(_ binding: Binding, count: Int) throws(SystemFailure) -> [ListeningSocketBox] {
    if binding.port != 0 { _ = try ListeningSocket(host: binding.host, port: binding.port, sharesPort: false) }
    var sockets = [ListeningSocketBox(try ListeningSocket(host: binding.host, port: binding.port, sharesPort: true))]
    while sockets.count < count {
      let port = sockets[0].socket.port
      sockets.append(ListeningSocketBox(try ListeningSocket(host: binding.host, port: port, sharesPort: true)))
    }
    return sockets
  }

  /// Replaces a listener's responder; returns when every loop uses the new one. Must not be called on a loop.
  package func replaceResponder(ofListener listener: Int, with responder: @escaping Responder) {
    let pending = Condition(loops.count)
    for loop in loops {
      let done: @Sendable () -> Void = { pending.withLock { $0 -= 1 } }
      // A loop that has ended serves nobody, so there is nothing to wait for.
      if !loop.mailbox.post(.replaceResponder(listener: listener, responder, done: done)) { done() }
    }
    pending.wait { $0 == 0 ? .ready(()) : .wait }
  }

  /// Replaces a listener's certificate; open connections keep the old one.
  package func replaceTLS(ofListener listener: Int, with context: ServerTLSContext) {
    for loop in loops { loop.mailbox.post(.replaceTLS(listener: listener, context)) }
  }

  /// What was counted for each listener, as of the last second.
  package var statistics: [ListenerStatistics] {
    names.enumerated().map { index, name in
      var statistics = ListenerStatistics(name: name)
      for loop in loops { loop.counters.add(to: &statistics, listener: index) }
      return statistics
    }
  }

  /// Periodic work, every few seconds, on a thread that is not a loop's.
  package func look() { heap.note(load.openConnections) }

  /// Whether every loop has completed a round within the last ten seconds; loops that have ended do not count.
  package var isAlive: Bool {
    let now = clock.now() / 1_000_000_000
    return loops.allSatisfy { $0.heartbeat.load(ordering: .relaxed) > now - 10 }
  }

  /// Stops accepting, lets transfers finish for at most `graceSeconds`, and returns when all loops have ended.
  package func drain(graceSeconds: Int64) {
    for loop in loops { loop.mailbox.post(.drain(graceSeconds: graceSeconds)) }
    let threads = self.threads.withLock { threads in
      let running = threads
      threads = []
      return running
    }
    for thread in threads { thread.join() }
  }
}

extension HTTPServer.Binding {
  /// Reads `127.0.0.1:8443`, `[::1]:0` or `*:443`.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.init(host: host == "localhost" ? "127.0.0.1" : String(host), port: port)
  }
}
