import AdminAPI
import AssetPacks
import HTTPCore
import HTTPServer

/// What `/metrics` tells, as of one moment.
struct ServiceReadings {
  /// A certificate in service.
  struct Certificate: Sendable, Equatable {
    let listener: String
    let file: String
    /// The last valid second, since 1970.
    let notAfter: Int64
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
  var certificates: [Certificate] = []
  var snapshotFaults = 0
  var publishes = 0
  var failedPublishes = 0
  /// Requests that were not let in, by reason.
  var authenticationFailures = AuthenticationCounts().present
  var webhooks: (arrived: Int, failed: Int, disabled: Int) = (0, 0, 0)
  var webhookBacklog = 0
  var isReady = false
}
