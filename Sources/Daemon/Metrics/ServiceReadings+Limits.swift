import HTTPServer
import Observability

// What the daemon's limits have to say that is not of one listener.
extension ServiceReadings {
  var limitFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_certificates_invalid", .gauge, "Certificates in service that have expired, or are not valid yet.",
        [.init(certificates.count { $0.problem(at: now) != nil })]),
      MetricFamily(
        "packhouse_requests_in_hand", .gauge, "Requests that a worker has in hand or that wait for one.",
        [.init(requestsInHand)]),
      MetricFamily(
        "packhouse_api_errors_total", .counter, "Refusals of the admin API, by code.",
        refusals.map { MetricFamily.Sample([("code", $0.name)], $0.count) }),
      MetricFamily(
        "packhouse_processing_failures_total", .counter, "Archives that were refused, by code.",
        processingFailures.map { MetricFamily.Sample([("code", $0.name)], $0.count) }),
      MetricFamily(
        "packhouse_access_log_lost_lines_total", .counter, "Lines of the access log that found no room.",
        [.init(lostLogLines)]),
      MetricFamily(
        "packhouse_state_free_bytes", .gauge, "Bytes that may still be written on the state folder's file system.",
        freeBytes.map { [.init(Int(clamping: $0))] } ?? []),
    ]
  }
}
