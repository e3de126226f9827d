import AssetPacks
import PackStore
import Synchronization
import SystemIO

/// How many versions are in each state and what apps store, asked of the catalog every few seconds at most.
final class CatalogCensus: Sendable {
  private struct State {
    var counts: [VersionState: Int] = [:]
    var quotas: (apps: [QuotaReading], stored: Int64) = ([], 0)
    /// Monotonic nanoseconds of the last look.
    var read: Int64?
  }

  /// Nanoseconds for which a look is good.
  private static let lifetime: Int64 = 5_000_000_000

  private let store: PackStore
  private let state = Mutex(State())

  init(store: PackStore) { self.store = store }

  /// The counts; the last ones when the catalog cannot be read now.
  var counts: [VersionState: Int] {
    state.withLock { state in
      look(&state)
      return state.counts
    }
  }

  /// The quotas of the apps, and the bytes of all blobs; the last ones when the catalog cannot be read now.
  var quotas: (apps: [QuotaReading], stored: Int64) {
    state.withLock { state in
      look(&state)
      return state.quotas
    }
  }

  private func look(_ state: inout State) {
    let now = MonotonicClock.system.now()
    if let read = state.read, now - read < Self.lifetime { return }
    state.read = now
    if let counts = try? store.versionCounts() { state.counts = counts }
    if let quotas = try? store.quotaReadings() { state.quotas = quotas }
  }
}
