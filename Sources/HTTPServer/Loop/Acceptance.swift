import EventLoop

/// A loop's listening sockets, and how it takes clients from them.
struct Acceptance: ~Copyable {
  /// Clients that are taken at once at most.
  private static let largestBatch = 64

  var listeners: [(index: Int, socket: ListeningSocketBox)]
  /// No client is taken until the next second, because there is no descriptor for one.
  var isPaused = false
  /// The monotonic second since which there is none.
  var shortSince: Int64?
  var reserve = ReserveDescriptor()
  /// The second in which nobody was found that could give way.
  var fruitlessScan: Int64 = -1
  /// How many clients to take at once, and the round in which some were taken last.
  private var batch = 1
  private var lastRound: UInt64 = 0
  /// Counts the loop's rounds.
  private var round: UInt64 = 0

  init(_ listeners: [(index: Int, socket: ListeningSocketBox)]) { self.listeners = listeners }

  mutating func beginRound() { round &+= 1 }

  /// How many clients to take now: one, and twice as many each time when round after round somebody waits. Asking for
  /// one that is not there costs as much as taking one.
  mutating func nextBatch() -> Int {
    batch = lastRound &+ 1 == round ? min(2 * batch, Self.largestBatch) : 1
    lastRound = round
    return batch
  }
}
