import Observability
import PackStore

// What apps store, and may store.
extension ServiceReadings {
  var quotaFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_stored_bytes", .gauge, "Bytes of all blobs, each once.", [.init(Int(clamping: storedBytes))]),
      family("packhouse_quota_used_bytes", "Bytes that an app's packs count for in its quota.") {
        Int(clamping: $0.used)
      },
      family("packhouse_quota_reserved_bytes", "Bytes of an app's uploads in flight.") { Int(clamping: $0.reserved) },
      family("packhouse_quota_limit_bytes", "Bytes that an app may store.") { $0.limit },
      family("packhouse_quota_packs", "An app's packs that are not archived.") { $0.packs },
      family("packhouse_quota_limit_packs", "Packs that an app may have.") { $0.packLimit },
    ]
  }

  private func family(_ name: String, _ help: String, _ value: (QuotaReading) -> Int) -> MetricFamily {
    MetricFamily(name, .gauge, help, quotas.map { .init([("app", $0.bundleID)], value($0)) })
  }
}
