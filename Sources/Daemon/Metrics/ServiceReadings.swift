import AdminAPI
import AssetPacks
import HTTPCore
import HTTPServer
import Observability
import PackStore
import Synchronization
import SystemIO
import TLS

/// What `/metrics` tells, as of one moment.
struct ServiceReadings {
  /// A certificate in service.
  struct Certificate: Sendable, Equatable {
    let listener: String
    let file: String
    /// The first valid second, since 1970.
    var notBefore: Int64 = 0
    /// The last valid second, since 1970.
    let notAfter: Int64

    /// A sentence when it is not valid at `now`.
    func problem(at now: Int64) -> String? {
      if now > notAfter { return TLSFailure.expired(file: file, at: notAfter).sentence }
      if now < notBefore { return TLSFailure.notYetValid(file: file, until: notBefore).sentence }
      return nil
    }
  }

  var version = ""
  /// Seconds since 1970.
  var now: Int64 = 0
  var listeners: [ListenerStatistics] = []
  var deliveries: (versions: [(label: DeliveryLabel, counts: DeliveryCounts)], other: DeliveryCounts) =
    ([], DeliveryCounts())
  var workersWaiting = 0
  var workersCapacity = 0
  var loops = 0
  var versions: [VersionState: Int] = [:]
  var quotas: [QuotaReading] = []
  var storedBytes: Int64 = 0
  var stuck: [OverdueState.Kind: Int] = [:]
  var certificates: [Certificate] = []
  var recordSealing = RecordSealingDecision.State.on
  var snapshotFaults = 0
  var publishes = 0
  var failedPublishes = 0
  /// Requests that were not let in, by reason.
  var authenticationFailures = AuthenticationCounts().present
  var webhooks: (arrived: Int, failed: Int, disabled: Int) = (0, 0, 0)
  var webhookBacklog = 0
  var isReady = false
  var requestsInHand = 0
  /// Connections that each listener lets in, by its name.
  var connectionLimits: [(listener: String, limit: Int)] = []
  /// Refusals of the admin API and failures of processing, by code.
  var refusals: [(name: String, count: Int)] = []
  var processingFailures: [(name: String, count: Int)] = []
  var lostLogLines = 0
  /// Bytes that may still be written in the state folder.
  var freeBytes: Int64?
}

/// Where the admin API, which is made before the service is complete, gets the metrics from.
final class MetricsSource: Sendable {
  private struct Weak: Sendable {
    weak var service: Service?
  }

  private let source = Mutex(Weak())

  /// Tells of `service` from now on, as long as it lives.
  func attach(_ service: Service) { source.withLock { $0.service = service } }

  /// Everything in Prometheus's text format; empty before the service is complete.
  var text: [UInt8] {
    let service = source.withLock { $0.service }
    return service.map { MetricsText.render($0.readings.families) } ?? []
  }
}

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
