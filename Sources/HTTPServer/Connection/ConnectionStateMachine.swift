import HTTPCore

/// What one connection does next, decided without I/O and without a clock, as in the connection handlers of SwiftNIO
/// and Hummingbird: the loop reports what has happened and in which second, and carries out the returned action.
///
/// Plain bytes: no event allocates or reads more than these few words. Every `now` is in monotonic seconds.
/// The rules of time are in `ConnectionStateMachine+Time.swift`.
struct ConnectionStateMachine {
  enum Phase: UInt8, CaseIterable, Sendable {
    /// A trusted proxy must announce, before TLS, whom it connects for.
    case proxyHeader
    case handshake
    /// No byte of the next request has come.
    case idle
    /// In the middle of a request's head.
    case head
    /// A request's body arrives.
    case body
    /// The responder or a worker makes the answer.
    case working
    case sending
    /// The next part of the answer is not in memory; a worker reads it.
    case awaitingDisk
    /// The same, but no worker was free; it is tried again at the next tick.
    case awaitingWorker
    /// Everything is written, but the socket has not accepted all of it yet.
    case flushing
    /// Everything is sent; what still arrives is thrown away until the peer closes (RFC 9112, section 9.6).
    case lingering
    case closed
  }

  /// What has a time limit.
  enum Timer: UInt8, CaseIterable, Sendable {
    case head, nextRequest, upload, send, linger
  }

  private(set) var phase: Phase
  /// The connection ends with the current answer, or with the next one.
  private(set) var isLast = false
  /// The peer will send nothing more.
  private(set) var inputHasEnded = false
  /// The current request has a body that was not read to its end.
  private(set) var bodyIsUnread = false
  /// What time runs for, and since when.
  private(set) var timer = Timer.head
  private(set) var since: Int64
  /// Bytes received and sent since a moment.
  var window: RateWindow

  init(awaitsProxyHeader: Bool, now: Int64) {
    phase = awaitsProxyHeader ? .proxyHeader : .handshake
    since = now
    window = RateWindow(start: now)
  }

  private mutating func arm(_ timer: Timer, _ now: Int64) {
    self.timer = timer
    since = now
  }

  // MARK: To the first request

  /// The PROXY header has come. Its time is part of the handshake's.
  mutating func proxyHeaderCame() {
    if phase == .proxyHeader { phase = .handshake }
  }

  mutating func handshakeEnded(_ now: Int64) {
    guard phase == .handshake else { return }
    phase = .idle
    arm(.head, now)
  }

  // MARK: A request

  /// Bytes of a head have come, and it does not end with them. Its time runs from the first byte on.
  mutating func headIsIncomplete(_ now: Int64) {
    guard phase == .idle else { return }
    phase = .head
    arm(.head, now)
  }

  /// A whole head has come; the responder decides what happens to it.
  mutating func headCame(keepsAlive: Bool, framing: BodyFraming) {
    guard phase == .idle || phase == .head else { return }
    phase = .working
    if !keepsAlive { isLast = true }
    bodyIsUnread = framing != .none
  }

  /// The input cannot be parsed, or stopped arriving: nothing behind it can be trusted, so its answer is the last.
  mutating func requestIsRefused() {
    guard phase == .idle || phase == .head || phase == .body else { return }
    phase = .working
    isLast = true
  }

  /// How a body is received.
  enum BodyStart: Equatable {
    /// It says itself that it is too large: not a byte of it is read.
    case refuse
    /// It is empty.
    case handOver
    /// The client waits to be told that its body is wanted.
    case sendContinue
    case receive
  }

  /// The responder wants the body of the current request, of at most `limit` bytes.
  mutating func bodyIsWanted(_ framing: BodyFraming, limit: Int, expectsContinue: Bool, _ now: Int64) -> BodyStart {
    if case .length(let announced) = framing, announced > limit { return .refuse }
    phase = .body
    arm(.upload, now)
    if framing == .none || framing == .length(0) {
      bodyIsUnread = false
      return .handOver
    }
    return expectsContinue ? .sendContinue : .receive
  }

  /// Bytes of the body have come; with `hasEnded` its last one.
  mutating func bodyCame(hasEnded: Bool, _ now: Int64) {
    guard phase == .body else { return }
    arm(.upload, now)
    if hasEnded { bodyIsUnread = false }
  }

  /// The request is whole, and a worker has it.
  mutating func bodyIsHandedOver() {
    if phase == .body { phase = .working }
  }

  // MARK: Its answer

  /// An answer begins. True when the connection stays open behind it, as its head must say.
  ///
  /// A body that nobody has read would be taken for the next request, which lets a client smuggle one past a proxy
  /// (RFC 9112, section 11.2). Therefore the answer to such a request is the connection's last.
  mutating func answerBegins(closes: Bool, _ now: Int64) -> Bool {
    if closes || bodyIsUnread { isLast = true }
    guard phase == .working else { return !isLast }
    phase = .sending
    arm(.send, now)
    return !isLast
  }

  /// The next part of the answer's file is not in memory. `workerReads` says that a worker was free to read it.
  mutating func answerIsCold(workerReads: Bool) {
    if phase == .sending { phase = workerReads ? .awaitingDisk : .awaitingWorker }
  }

  /// A worker has read that part. False when nobody waits for it.
  mutating func answerIsWarm() -> Bool {
    guard phase == .awaitingDisk else { return false }
    phase = .sending
    return true
  }

  /// Time to retry what no worker was free for. False when there is nothing to retry.
  mutating func looksForWorkerAgain() -> Bool {
    guard phase == .awaitingWorker else { return false }
    phase = .sending
    return true
  }

  enum AfterAnswer: Equatable {
    case nextRequest, goodbye
  }

  /// The answer's last byte is on its way.
  mutating func answerEnded(_ now: Int64) -> AfterAnswer {
    guard phase == .sending, !isLast else { return .goodbye }
    phase = .idle
    arm(.nextRequest, now)
    return .nextRequest
  }

  // MARK: The socket

  /// What a connection waits for before it continues.
  enum Need: Equatable {
    /// A worker, or nothing at all.
    case nothing
    /// Its turn to send.
    case turn
    case input
  }

  var need: Need {
    switch phase {
    case .sending: .turn
    case .working, .awaitingDisk, .awaitingWorker, .closed: .nothing
    case .proxyHeader, .handshake, .idle, .head, .body, .flushing, .lingering: .input
    }
  }

  enum InputStep: Equatable {
    case receive, goodbye, close
  }

  /// What to do when all input is used up. After the peer's end the rest of a request will never come.
  var whenInputIsUsedUp: InputStep {
    guard inputHasEnded else { return .receive }
    return phase == .idle || phase == .head ? .goodbye : .close
  }

  /// The peer has sent its last byte. Requests that it has sent before are still answered, all of them.
  mutating func inputEnded() { inputHasEnded = true }

  /// What is left to do after the last answer.
  enum Farewell: Equatable {
    case wait, endOutput, close
  }

  /// The last byte is written. Closing before the socket has accepted it would cut it off.
  mutating func goodbyeIsSaid(backlogIsEmpty: Bool, _ now: Int64) -> Farewell {
    if phase == .closed { return .close }
    guard backlogIsEmpty else {
      phase = .flushing
      arm(.send, now)
      return .wait
    }
    if inputHasEnded { return .close }
    phase = .lingering
    arm(.linger, now)
    return .endOutput
  }

  /// The peer has sent `count` bytes of any kind.
  mutating func socketGave(_ count: Int) { window.bytes += Int64(count) }

  /// The socket has taken `count` bytes: progress, which restarts the time to send. True when these were the last
  /// ones and the output is to be ended.
  mutating func socketTook(_ count: Int, backlogIsEmpty: Bool, _ now: Int64) -> Bool {
    window.bytes += Int64(count)
    guard count > 0 else { return false }
    switch phase {
    case .sending, .awaitingDisk, .awaitingWorker: arm(.send, now)
    case .idle:
      // The time to the next request begins when the last answer is out.
      if !backlogIsEmpty { arm(.send, now) } else if timer == .send { arm(.nextRequest, now) }
    case .flushing:
      guard backlogIsEmpty else {
        arm(.send, now)
        return false
      }
      phase = .lingering
      arm(.linger, now)
      return true
    // A client does not get more time for what it has to send by reading slowly.
    case .proxyHeader, .handshake, .head, .body, .working, .lingering, .closed: break
    }
    return false
  }

  // MARK: Its end

  /// The server drains: no answer after this one. True when nothing is in progress and it can end now.
  mutating func drain(hasBacklog: Bool) -> Bool {
    isLast = true
    return phase == .idle && !hasBacklog
  }

  /// True when its handshake had not ended.
  mutating func close() -> Bool {
    let wasNew = phase == .proxyHeader || phase == .handshake
    phase = .closed
    return wasNew
  }
}
