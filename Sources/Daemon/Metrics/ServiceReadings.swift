import AssetPacks
import HTTPCore
import HTTPServer
import PackStore

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
  var quotas: [QuotaReading] = []
  var storedBytes: Int64 = 0
  var certificates: [Certificate] = []
  var snapshotFaults = 0
  var publishes = 0
  var failedPublishes = 0
  var isReady = false
}
