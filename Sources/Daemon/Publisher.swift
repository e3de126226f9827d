import Delivery
import HTTPServer
import Observability
import PackStore
import Synchronization

/// What the client listener answers with while a snapshot is served.
package typealias SnapshotResponder = @Sendable (Snapshot) -> Responder

/// Turns the store's state into what devices get, one change after the other.
final class Publisher: Sendable {
  private struct State {
    var builder: SnapshotBuilder
    var snapshot: Snapshot?
    /// What the snapshot was made from; the next one reads only what has changed since.
    var live: LiveState?
    var server: (server: HTTPServer, listener: Int)?
  }

  /// The snapshot's own answers and nothing around them.
  static let plain: SnapshotResponder = { snapshot in { snapshot.respond($0) } }

  private let store: PackStore
  /// How many files of versions may stay open.
  private let openFiles: Int
  private let log: Log
  let respond: SnapshotResponder
  private let labels = DeliveryLabels()
  private let state: Mutex<State>
  /// Changes that devices got, changes that failed, and faults of what is served; for metrics, which must not wait for
  /// a change.
  let published = Atomic<Int>(0)
  let failed = Atomic<Int>(0)
  let faults = Atomic<Int>(0)

  init(
    store: PackStore, development: SnapshotBuilder.Development?, openFiles: Int = .max, log: Log,
    respond: @escaping SnapshotResponder = Publisher.plain
  ) {
    self.store = store
    self.log = log
    self.respond = respond
    self.openFiles = openFiles
    let builder = SnapshotBuilder(blobs: store.blobs, development: development, labels: labels, openFiles: openFiles)
    state = Mutex(State(builder: builder))
  }

  /// The snapshot to begin with. It opens the files of live versions only, so that a start does not wait for all that
  /// ever was live; the next publish opens the rest.
  func build() throws(StoreFailure) -> Snapshot {
    let live = try store.liveState()
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
        let live = try store.liveState(after: state.live)
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
        log.error("What was published is not served yet; devices get the state before. \(error.sentence)")
      }
    }
  }

  func setDevelopment(_ development: SnapshotBuilder.Development?) {
    let builder = SnapshotBuilder(blobs: store.blobs, development: development, labels: labels, openFiles: openFiles)
    state.withLock { $0.builder = builder }
    publish()
  }

  private func report(_ snapshot: Snapshot) {
    faults.store(snapshot.faults.count, ordering: .relaxed)
    for fault in snapshot.faults { log.error(fault) }
  }
}
