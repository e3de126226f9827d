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
