import CLinux
import EventLoop
import Glibc
import HTTPCore
import Observability
import Synchronization
import SystemIO
import TLS

/// One thread with its own epoll queue, its own listening sockets and its own connections. Nothing in the path of a
/// download is shared with another loop, so nothing is locked.
///
/// What a connection does is decided by its `ConnectionStateMachine`; the loop carries it out.
///
/// `@unchecked Sendable` is safe: only `mailbox`, `heartbeat`, `shared` and `counters` are used by other threads, which
/// are made for that; everything else is touched by the loop's own thread after `run` has begun.
final class ServerLoop: @unchecked Sendable {
  /// A listener as one loop has it.
  struct Endpoint {
    var tls: ServerTLSContext
    var responder: Responder
    /// Trusted proxies, believed about whom they connect for.
    var trustedProxies: [AddressRange] = []
    /// Whether they say so in a PROXY header before TLS.
    var expectsProxyHeader = false
  }

  /// What all loops of a server use.
  struct Shared: Sendable {
    let limits: ServerLimits
    let workers: WorkerPool
    let load: ServerLoad
    let tally: DeliveryTally
    let accessLog: AccessLog?
    let clock: MonotonicClock
  }

  /// Messages from other threads to a loop.
  enum Event: Sendable {
    case answer(UInt64, Message)
    case chunkWritten(UInt64, Message?)
    case warmed(UInt64, worked: Bool)
    case replaceResponder(listener: Int, Responder, done: @Sendable () -> Void)
    case replaceTLS(listener: Int, ServerTLSContext)
    case drain(graceSeconds: Int64)
  }

  static let firstListenerToken = UInt64.max - 255
  static let mailboxToken = UInt64.max - 256
  /// Bytes of a body that one connection may send before others get their turn. Below 192 KiB each byte costs
  /// noticeably more: each turn has a fixed cost.
  static let sharedTurn = 192 * 1024
  /// The same when no other connection has anything to send.
  static let loneTurn = 256 * 1024

  /// From 0.
  let number: Int
  let shared: Shared
  let mailbox: Mailbox<Event>
  /// The monotonic second of the loop's last tick; other threads read it.
  let heartbeat = Atomic<Int64>(Int64.max)
  let counters: LoopCounters
  var report: LoopReport

  // These three call nothing that could come back to them, so no check of exclusive access is needed: see
  // `Connection.state`.
  @exclusivity(unchecked) var clock: LoopClock
  @exclusivity(unchecked) var connections = ConnectionTable()
  @exclusivity(unchecked) var turns = TurnQueue()
  var poller: Poller
  var endpoints: [Endpoint]
  var acceptance: Acceptance
  /// Bodies whose connection went away while a worker had a chunk in hand.
  var orphans: [UInt64: BodyIntake] = [:]
  /// The monotonic second in which the last connection is cut; nil while the server does not drain.
  var drainDeadline: Int64?

  let buffers: LoopBuffers
  let sink = TLSSink(capacity: loneTurn + 64 * 1024)

  var now: Int64 { clock.now }

  init(
    number: Int, endpoints: [Endpoint], listeners: [(index: Int, socket: ListeningSocketBox)], shared: Shared
  ) throws(SystemFailure) {
    self.number = number
    self.shared = shared
    mailbox = try Mailbox()
    poller = try Poller()
    self.endpoints = endpoints
    acceptance = Acceptance(listeners)
    counters = LoopCounters(listeners: endpoints.count)
    report = LoopReport(tally: shared.tally, accessLog: shared.accessLog)
    clock = LoopClock(shared.clock)
    buffers = LoopBuffers(fields: shared.limits.request.fields)
    try poller.addLevel(mailbox.descriptor, token: Self.mailboxToken)
    for position in listeners.indices { try watch(position) }
  }

  /// Serves until it is asked to drain and the last connection is gone.
  func run() {
    // On a busy machine, a small answer must not wait for a turn of every other connection.
    SystemThread.requestShortTurns()
    heartbeat.store(now, ordering: .relaxed)
    while true {
      acceptance.beginRound()
      poller.wait(milliseconds: turns.isEmpty ? 500 : 0) { readiness in
        clock.read()
        dispatch(readiness)
      }
      clock.read()
      takeTurn()
      if clock.isNewSecond() {
        tick()
        tell()
        heartbeat.store(now, ordering: .relaxed)
      }
      if let deadline = drainDeadline, connections.count == 0 && orphans.isEmpty || now > deadline {
        for case let connection? in connections.places { close(connection) }
        tell()
        heartbeat.store(Int64.max, ordering: .relaxed)
        for event in mailbox.close() { handle(event) }
        return
      }
    }
  }

  private func dispatch(_ readiness: Readiness) {
    if readiness.token == Self.mailboxToken {
      for event in mailbox.takeAll() { handle(event) }
    } else if readiness.token >= Self.firstListenerToken {
      accept(on: Int(readiness.token - Self.firstListenerToken))
    } else if let connection = connections[readiness.token] {
      if readiness.isReadable { connection.isReadable = true }
      if readiness.isWritable { connection.isWritable = true }
      if readiness.hasEnded { connection.hasHungUp = true }
      if readiness.isGone { connection.isGone = true }
      drive(connection)
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .answer(let token, let message):
      if let connection = connections[token], connection.state.phase == .working {
        answer(connection, message)
        drive(connection)
      }
    case .chunkWritten(let token, let refusal):
      chunkWritten(token, refusal)
    case .warmed(let token, let worked):
      warmed(token, worked)
    case .replaceResponder(let listener, let responder, let done):
      if listener < endpoints.count { endpoints[listener].responder = responder }
      done()
    case .replaceTLS(let listener, let context):
      if listener < endpoints.count { endpoints[listener].tls = context }
    case .drain(let grace):
      drain(grace)
    }
  }

  /// Shows other threads what was counted, and gives the gathered lines to the log's thread. Once a second.
  private func tell() {
    counters.publish()
    report.tell()
  }

  /// Lets one connection send its share. One only: small answers that have become ready meanwhile must
  /// not wait behind every download.
  private func takeTurn() {
    guard let token = turns.popFirst(), let connection = connections[token] else { return }
    connection.isQueued = false
    drive(connection, quota: turns.isEmpty ? Self.loneTurn : Self.sharedTurn)
  }

  /// Learns of clients that wait at a listener.
  func watch(_ position: Int) throws(SystemFailure) {
    let socket = acceptance.listeners[position].socket
    try poller.addListener(
      socket.socket.descriptor, token: Self.firstListenerToken + UInt64(position), isShared: socket.isShared)
  }

  func enqueue(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    turns.append(connection.token)
  }
}
