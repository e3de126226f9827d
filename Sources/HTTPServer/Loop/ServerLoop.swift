import CLinux
import EventLoop
import Glibc
import HTTPCore
import Observability
import Synchronization
import SystemIO
import TLS

/// One thread with its own epoll queue, its own listening sockets and its own connections. Nothing on
/// the way of a download is shared with another loop, so nothing is locked.
///
/// `@unchecked Sendable` is safe: only `mailbox`, `heartbeat`, `load`, `counters` and `tally` are used by other
/// threads, which are made for that; everything else is touched by the loop's own thread after `run` has begun.
final class ServerLoop: @unchecked Sendable {
  /// A listener as one loop has it.
  struct Endpoint {
    var tls: ServerTLSContext
    var responder: Responder
    /// Proxies that are believed when they say for whom they connect.
    var trustedProxies: [AddressRange] = []
    /// They say it in a PROXY header in front of TLS.
    var expectsProxyHeader = false
  }

  /// What other threads tell a loop.
  enum Letter: Sendable {
    case answer(UInt64, Message)
    case chunkWritten(UInt64, Message?)
    case warmed(UInt64, worked: Bool)
    case replaceResponder(listener: Int, Responder, done: @Sendable () -> Void)
    case replaceTLS(listener: Int, ServerTLSContext)
    case drain(graceSeconds: Int64)
  }

  static let firstListenerToken = UInt64.max - 255
  static let mailboxToken = UInt64.max - 256
  /// Bytes read from a socket at once. Its plain text is never longer.
  static let receiveSize = 64 * 1024
  /// Bytes of a body that one connection may send before others get their turn. Below 192 KiB each byte costs
  /// noticeably more: a turn has a price of its own.
  static let sharedTurn = 192 * 1024
  /// The same when no other connection has anything to send.
  static let loneTurn = 256 * 1024

  /// From 0.
  let number: Int
  let mailbox: Mailbox<Letter>
  /// The monotonic second of the loop's last round; other threads read it.
  let heartbeat = Atomic<Int64>(Int64.max)
  let load: ServerLoad
  let limits: ServerLimits
  let workers: WorkerPool
  let accessLog: AccessLog?
  /// Lines for the access log that were not handed over yet.
  var logLines: [UInt8] = []
  let counters: LoopCounters
  var deliveries = LoopDeliveries()
  let tally: DeliveryTally

  var poller: Poller
  var endpoints: [Endpoint]
  var listeners: [(index: Int, socket: ListeningSocketBox)]
  var pausedAccepting = false
  /// How many clients to take at once, and the round in which some were taken last.
  var acceptLimit = 1
  var acceptRound: UInt64 = 0
  /// Counts what `run` repeats.
  var round: UInt64 = 0
  /// The monotonic second since which there is no descriptor for a new client.
  var shortSince: Int64?
  var reserve = ReserveDescriptor()
  /// The second in which nobody was found that could give way.
  var fruitlessScan: Int64 = -1

  var slots: [Connection?] = []
  var freeSlots: [Int] = []
  var generation: UInt64 = 0
  var connectionCount = 0
  /// Connections that have more to send and whose socket takes it.
  var runQueue: [UInt64] = []
  var runNext = 0
  /// Connections that wait for the disk and found no worker free.
  var coldWithoutWorker: [UInt64] = []
  /// Bodies whose connection went away while a worker had a chunk in hand.
  var orphans: [UInt64: BodyIntake] = [:]

  let ciphertext = UnsafeMutableRawBufferPointer.allocate(byteCount: receiveSize, alignment: 64)
  let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * receiveSize, alignment: 64)
  let outgoing = UnsafeMutableRawBufferPointer.allocate(byteCount: loneTurn + 16_384, alignment: 64)
  let fields: UnsafeMutableBufferPointer<FieldSlot>
  let sink = TLSSink(capacity: loneTurn + 64 * 1024)
  let date = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
  var dateSecond: Int64 = -1
  var now: Int64 = 0
  var lastSweep: Int64 = 0
  var drainDeadline: Int64?

  init(
    number: Int, endpoints: [Endpoint], listeners: [(index: Int, socket: ListeningSocketBox)], limits: ServerLimits,
    workers: WorkerPool, load: ServerLoad, tally: DeliveryTally, accessLog: AccessLog?
  ) throws(SystemFailure) {
    self.number = number
    mailbox = try Mailbox()
    poller = try Poller()
    self.endpoints = endpoints
    self.listeners = listeners
    self.limits = limits
    self.workers = workers
    self.load = load
    self.tally = tally
    counters = LoopCounters(listeners: endpoints.count)
    self.accessLog = accessLog
    fields = .allocate(capacity: limits.request.fields)
    try poller.addLevel(mailbox.descriptor, token: Self.mailboxToken)
    for position in listeners.indices { try watch(position) }
  }

  deinit {
    ciphertext.deallocate()
    plaintext.deallocate()
    outgoing.deallocate()
    fields.deallocate()
    date.deallocate()
  }

  /// Serves until it is told to drain and the last connection is gone.
  func run() {
    // A small answer must not wait behind a turn of everybody else's on a busy machine.
    SystemThread.requestShortTurns()
    tellTime()
    lastSweep = now
    while true {
      let wait: Int32 = runNext < runQueue.count ? 0 : 500
      round &+= 1
      poller.wait(milliseconds: wait) { readiness in
        tellTime()
        dispatch(readiness)
      }
      tellTime()
      takeTurn()
      if now != lastSweep {
        lastSweep = now
        heartbeat.store(now, ordering: .relaxed)
        sweep()
        tell()
      }
      if let deadline = drainDeadline, connectionCount == 0 && orphans.isEmpty || now > deadline {
        closeAll()
        tell()
        heartbeat.store(Int64.max, ordering: .relaxed)
        for letter in mailbox.close() { open(letter) }
        return
      }
    }
  }

  private func dispatch(_ readiness: Readiness) {
    if readiness.token == Self.mailboxToken {
      for letter in mailbox.takeAll() { open(letter) }
    } else if readiness.token >= Self.firstListenerToken {
      accept(on: Int(readiness.token - Self.firstListenerToken))
    } else if let connection = connection(readiness.token) {
      if readiness.isReadable { connection.isReadable = true }
      if readiness.isWritable { connection.isWritable = true }
      if readiness.hasEnded { connection.hasHungUp = true }
      if readiness.isGone { connection.isGone = true }
      drive(connection)
    }
  }

  private func open(_ letter: Letter) {
    switch letter {
    case .answer(let token, let message):
      if let connection = connection(token), case .waiting = connection.phase {
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

  private func tellTime() {
    var clock = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &clock)
    now = Int64(clock.tv_sec)
    clock_gettime(CLOCK_REALTIME_COARSE, &clock)
    let second = Int64(clock.tv_sec)
    if second != dateSecond {
      dateSecond = second
      HTTPDate.render(unixSeconds: second, into: date)
    }
  }

  /// Lets one connection send its share. One only: small answers that have become ready meanwhile must
  /// not wait behind every download.
  private func takeTurn() {
    guard runNext < runQueue.count else { return }
    let token = runQueue[runNext]
    runNext += 1
    if runNext == runQueue.count {
      runQueue.removeAll(keepingCapacity: true)
      runNext = 0
    } else if runNext > 1024 {
      runQueue.removeFirst(runNext)
      runNext = 0
    }
    guard let connection = connection(token) else { return }
    connection.isQueued = false
    drive(connection, quota: runNext < runQueue.count ? Self.sharedTurn : Self.loneTurn)
  }

  /// Hears of clients that wait at a listener.
  func watch(_ position: Int) throws(SystemFailure) {
    let socket = listeners[position].socket
    try poller.addListener(
      socket.socket.descriptor, token: Self.firstListenerToken + UInt64(position), isShared: socket.isShared)
  }

  func enqueue(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    runQueue.append(connection.token)
  }

  func connection(_ token: UInt64) -> Connection? {
    let slot = Int(token & 0xffff_ffff)
    guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
    return connection
  }
}
