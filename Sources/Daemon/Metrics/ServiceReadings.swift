import AdminAPI
import AssetPacks
import HTTPCore
import HTTPServer
import PackStore
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
