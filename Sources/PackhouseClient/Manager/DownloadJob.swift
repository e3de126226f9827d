import Synchronization

/// A download in the manager's list. All but the meter belongs to the manager's actor.
final class DownloadJob {
  enum State {
    case waiting
    case running
    /// Told to stop, and not there yet.
    case pausing
    case paused
  }

  typealias Waiter = CheckedContinuation<Result<Void, ManagedBackgroundAssetsError>, Never>

  let pack: AssetPack
  /// The place among jobs of the same priority.
  let sequence: Int
  let installLimit: Int64?
  var priority: Double
  var state = State.waiting
  var control = DownloadControl()
  var waiters: [Int: Waiter] = [:]
  /// Whether it goes on when nobody waits for it any more.
  var isDetached = false
  /// How it ended, when it ended badly.
  var failure: ManagedBackgroundAssetsError?
  let meter: DownloadMeter

  init(_ pack: AssetPack, sequence: Int, priority: Double, installLimit: Int64?, meter: DownloadMeter) {
    self.pack = pack
    self.sequence = sequence
    self.priority = priority
    self.installLimit = installLimit
    self.meter = meter
  }
}

/// Counts a download's bytes, and tells those who listen about each percent.
final class DownloadMeter: Sendable {
  private let pack: AssetPack
  private let hub: UpdateHub<DownloadStatusUpdate>
  private let state = Mutex((bytes: Int64(0), percent: Int64(-1)))

  init(_ pack: AssetPack, _ hub: UpdateHub<DownloadStatusUpdate>) {
    self.pack = pack
    self.hub = hub
  }

  var progress: DownloadProgress {
    DownloadProgress(completed: state.withLock { $0.bytes }, total: pack.downloadSize)
  }

  func count(_ bytes: Int64) {
    let percent =
      pack.downloadSize > 0 ? bytes.multipliedReportingOverflow(by: 100).partialValue / pack.downloadSize : 100
    let isNew = state.withLock { state in
      defer { state = (bytes, percent) }
      return state.percent != percent
    }
    if isNew { hub.send(.downloading(pack, DownloadProgress(completed: bytes, total: pack.downloadSize))) }
  }
}

/// Hands what happens to everybody who listens.
final class UpdateHub<Element: Sendable>: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  }
  private let state = Mutex(State())

  /// What happens from now on, until the listener stops or this hub goes away.
  func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  func send(_ element: Element) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(element) }
  }

  /// Lets all who listen come to an end, after what was sent before.
  func finish() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }

  deinit { finish() }
}
