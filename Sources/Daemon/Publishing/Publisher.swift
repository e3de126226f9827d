import Delivery
import HTTPServer
import Observability
import PackStore
import Synchronization
import SystemIO

/// What the client listener answers with while a snapshot is served.
package typealias SnapshotResponder = @Sendable (Snapshot) -> Responder

/// Turns the store's state into what devices get, one change after the other.
final class Publisher: StoreObserver {
  private struct State {
    var builder: SnapshotBuilder
    var snapshot: Snapshot?
    /// What the snapshot was made from; the next one reads only what has changed since.
    var live: LiveState?
    var server: (server: HTTPServer, listener: Int)?
  }

  /// The snapshot's own answers and nothing around them.
  static let plain: SnapshotResponder = { snapshot in { snapshot.respond($0) } }

  private let blobs: BlobStore
  private let liveState: ReadLiveState
  /// How many files of versions may stay open.
  private let openFiles: Int
  private let log: Log
  let respond: SnapshotResponder
  private let labels = DeliveryLabels()
  private let clock: MonotonicClock
  private let retries: PublishRetryPolicy
  private let state: Mutex<State>
  /// Changes that devices got, changes that failed, and faults of what is served; for metrics, which must not wait for
  /// a change.
  let published = Atomic<Int>(0)
  let failed = Atomic<Int>(0)
  let faults = Atomic<Int>(0)

  /// Reads what is live; what has not changed since the state that it is given is taken from there.
  typealias ReadLiveState = @Sendable (LiveState?) throws(StoreFailure) -> LiveState

  init(
    blobs: BlobStore, liveState: @escaping ReadLiveState, development: SnapshotBuilder.Development?,
    openFiles: Int = .max, log: Log, clock: MonotonicClock = .system,
    respond: @escaping SnapshotResponder = Publisher.plain
  ) {
    self.blobs = blobs
    self.liveState = liveState
    self.clock = clock
    retries = PublishRetryPolicy(now: clock.now() / 1_000_000_000)
    self.log = log
    self.respond = respond
    self.openFiles = openFiles
    let builder = SnapshotBuilder(blobs: blobs, development: development, labels: labels, openFiles: openFiles)
    state = Mutex(State(builder: builder))
  }

  /// The snapshot to begin with. It opens the files of live versions only, so that a start does not wait for all that
  /// ever was live; the next publish opens the rest.
  func build() throws(StoreFailure) -> Snapshot {
    let live = try liveState(nil)
    return state.withLock { state in
      let snapshot = state.builder.build(live, previous: state.snapshot, opensAll: false)
      report(snapshot)
      state.snapshot = snapshot
      state.live = live
      return snapshot
    }
  }

  /// Tells where snapshots go from now on. What has changed since ``build()`` goes there with the next ``publish()``.
  func attach(_ server: HTTPServer, listener: Int) {
    state.withLock { $0.server = (server, listener) }
  }

  /// Serves the store's latest state; returns when every loop does. Called on workers, never on a loop.
  func publish() {
    // The state is read inside the lock, so that a later state never gives way to an earlier one.
    state.withLock { state in
      do throws(StoreFailure) {
        let live = try liveState(state.live)
        let snapshot = state.builder.build(live, previous: state.snapshot)
        report(snapshot)
        state.live = live
        state.snapshot = snapshot
        if let (server, listener) = state.server {
          server.replaceResponder(ofListener: listener, with: respond(snapshot))
        }
        published.wrappingAdd(1, ordering: .relaxed)
      } catch {
        failed.wrappingAdd(1, ordering: .relaxed)
        log.error(
          "The latest changes are not served yet; devices get the previous state. It is tried again. \(error.sentence)")
      }
    }
  }

  /// Publishes again after a publish that failed or left something out, when it is time to. Called every few seconds.
  func retry() {
    let isDue = retries.isDue(
      failed: failed.load(ordering: .relaxed), published: published.load(ordering: .relaxed),
      faults: faults.load(ordering: .relaxed), now: clock.now() / 1_000_000_000)
    if isDue { publish() }
  }

  func servedStateChanged() { publish() }

  func publicationFailed(app bundleID: String, _ failure: StoreFailure) {
    log.error(
      "The copies of the manifests of \(bundleID) were not written and will be tried again: \(failure.sentence)")
  }

  /// Serves the manifest of another app or track at `/manifest`, or of none.
  func setDevelopmentOverride(_ development: SnapshotBuilder.Development?) {
    let builder = SnapshotBuilder(blobs: blobs, development: development, labels: labels, openFiles: openFiles)
    state.withLock { $0.builder = builder }
    publish()
  }

  private func report(_ snapshot: Snapshot) {
    faults.store(snapshot.faults.count, ordering: .relaxed)
    for fault in snapshot.faults { log.error(fault) }
  }
}

/// Tries again what a publish could not do: the catalog could not be read, or a version's file could not be opened, for
/// want of a descriptor or because it was missing. Nobody has to restart the daemon once the cause is gone.
final class PublishRetryPolicy: Sendable {
  /// Seconds until a publish that failed is tried again, and until a file that could not be opened is.
  private static let failurePause: Int64 = 30
  private static let faultPause: Int64 = 300

  private struct State {
    var failed = 0
    var published = 0
    var isHeldUp = false
    /// Monotonic seconds of the last try, or of the moment when all was well.
    var last: Int64
  }

  private let state: Mutex<State>

  /// `now` is in monotonic seconds.
  init(now: Int64) { state = Mutex(State(last: now)) }

  /// Whether to publish again now. `failed` and `published` are how often each has happened so far, `faults` how many
  /// versions are not served. Called every few seconds.
  func isDue(failed: Int, published: Int, faults: Int, now: Int64) -> Bool {
    state.withLock { state in
      if failed != state.failed {
        state.isHeldUp = true
      } else if published != state.published {
        state.isHeldUp = false
      }
      state.failed = failed
      state.published = published
      guard state.isHeldUp || faults > 0 else {
        state.last = now
        return false
      }
      guard now - state.last >= (state.isHeldUp ? Self.failurePause : Self.faultPause) else { return false }
      state.last = now
      return true
    }
  }
}
