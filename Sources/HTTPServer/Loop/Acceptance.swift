import EventLoop

/// A loop's listening sockets, and how it takes clients from them.
struct Acceptance: ~Copyable {
  /// The most clients accepted in one go.
  private static let largestBatch = 64

  var listeners: [(index: Int, socket: ListeningSocketBox)]
  /// No client is accepted until the next second, because there is no descriptor for one.
  var isPaused = false
  /// The monotonic second since which there is none.
  var shortSince: Int64?
  var reserve = ReserveDescriptor()
  /// The second in which no connection was found that could give way.
  var fruitlessScan: Int64 = -1
  /// How many clients to accept in one go, and the last round in which some were.
  private var batch = 1
  private var lastRound: UInt64 = 0
  /// Counts the loop's rounds.
  private var round: UInt64 = 0

  init(_ listeners: [(index: Int, socket: ListeningSocketBox)]) { self.listeners = listeners }

  mutating func beginRound() { round &+= 1 }

  /// How many clients to accept now: one, doubled each time while every round finds somebody waiting. An accept that
  /// finds nobody costs as much as one that does.
  mutating func nextBatch() -> Int {
    batch = lastRound &+ 1 == round ? min(2 * batch, Self.largestBatch) : 1
    lastRound = round
    return batch
  }
}
