// Deadlines and patience: what a second that passes without an event leads to.
extension ConnectionStateMachine {
  /// How much a connection has moved since a moment.
  struct RateWindow {
    /// Monotonic seconds.
    var start: Int64
    /// Received and sent.
    var bytes: Int64 = 0
  }

  /// What a tick leads to. The counter says which time has run out.
  enum TickAction: Equatable {
    case nothing
    /// Retry what no worker was free for.
    case resume
    /// Answer 408.
    case refuse(ServerCounter)
    /// End TLS properly, then close.
    case sayGoodbye(ServerCounter)
    case close(ServerCounter?)
  }

  /// Once a second.
  mutating func tick(_ now: Int64, _ limits: ServerLimits) -> TickAction {
    if isTooSlow(now, limits) { return .close(.rateTimeouts) }
    guard now - since > limits.time(timer) else {
      return looksForWorkerAgain() ? .resume : .nothing
    }
    switch phase {
    case .proxyHeader, .handshake: return .close(.handshakeTimeouts)
    case .idle: return .sayGoodbye(.idleTimeouts)
    case .head: return .refuse(.headTimeouts)
    case .body: return .refuse(.bodyTimeouts)
    case .sending, .awaitingDisk, .awaitingWorker: return .close(.sendTimeouts)
    case .flushing, .lingering: return .close(nil)
    // A worker has its own limits.
    case .working, .closed: return .nothing
    }
  }

  /// Whether a transfer has stayed below the minimum rate for a whole window.
  private mutating func isTooSlow(_ now: Int64, _ limits: ServerLimits) -> Bool {
    switch phase {
    case .body, .sending, .awaitingDisk, .awaitingWorker: break
    case .proxyHeader, .handshake, .idle, .head, .working, .flushing, .lingering, .closed:
      window = RateWindow(start: now)
      return false
    }
    let elapsed = now - window.start
    guard limits.minimumRate > 0, elapsed > 0, elapsed >= limits.rateWindow else { return false }
    let rate = window.bytes / elapsed
    window = RateWindow(start: now)
    return rate < limits.minimumRate
  }

  /// Which connections give way to a new client when there is no room, first to last.
  enum GivingWay: Int, Comparable {
    case idle, slow

    static func < (left: GivingWay, right: GivingWay) -> Bool { left.rawValue < right.rawValue }
  }

  /// Seconds after which a connection without a request gives way: between two requests, and in the middle of a
  /// handshake or a head, which takes an honest client a few round trips. Both may really be one second less.
  static let idleGrace: Int64 = 2
  static let slowGrace: Int64 = 3

  /// Nil for a connection that must not be touched: a request is in progress, or the connection is too new.
  func givesWay(_ now: Int64) -> GivingWay? {
    switch phase {
    case .idle: now - since >= Self.idleGrace ? .idle : nil
    case .proxyHeader, .handshake, .head: now - since >= Self.slowGrace ? .slow : nil
    case .body, .working, .sending, .awaitingDisk, .awaitingWorker, .flushing, .lingering, .closed: nil
    }
  }
}
