import HTTPServer
import Observability
import TLS

// What the listeners have counted.
extension ServiceReadings {
  var listenerFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_connections_open", .gauge, "Open connections.",
        listeners.map { .init([("listener", $0.name)], $0.open) }),
      family("packhouse_connections_accepted_total", "Connections that were let in.", nil, [("", .accepted)]),
      family(
        "packhouse_connections_refused_total", "Connections that were closed before TLS.", "reason",
        [
          ("total", .refusedByTotal), ("address", .refusedByAddress), ("proxy_header", .refusedProxyHeaders),
          ("open_files", .refusedByDescriptors),
        ]),
      family(
        "packhouse_connections_gave_way_total", "Connections without a request, closed to let a new client in.", nil,
        [("", .gaveWay)]),
      MetricFamily(
        "packhouse_connections_limit", .gauge, "Connections that the listener lets in.",
        connectionLimits.map { .init([("listener", $0.listener)], $0.limit) }),
      family(
        "packhouse_tls_handshakes_total", "TLS handshakes; those that were given up count as failed.", "kind",
        [("full", .handshakesFull), ("resumed", .handshakesResumed), ("failed", .handshakesFailed)]),
      MetricFamily(
        "packhouse_tls_record_sealing", .gauge, "1 for the state that TLS 1.3 record sealing is in, 0 for the others.",
        RecordSealingDecision.State.allCases.map { .init([("state", $0.rawValue)], $0 == recordSealing ? 1 : 0) }),
      family(
        "packhouse_http_requests_total", "Requests by status class; none: the client left before an answer.", "status",
        [
          ("1xx", .informational), ("2xx", .successful), ("3xx", .redirected), ("4xx", .clientErrors),
          ("5xx", .serverErrors), ("none", .unanswered),
        ]),
      family(
        "packhouse_http_responses_total", "Answers by what they were.", "kind",
        [
          ("whole", .whole), ("range", .range), ("not_modified", .notModified),
          ("precondition_failed", .preconditionFailed), ("unsatisfiable", .unsatisfiable), ("message", .message),
        ]),
      MetricFamily.histogram(
        "packhouse_http_request_duration_seconds", "From the end of a request's head to the end of its answer.",
        bounds: DurationBuckets.bounds.map { Double($0) / 1e9 },
        listeners.map {
          .init(labels: [("listener", $0.name)], counts: $0.durations, sum: Double($0.durationSum) / 1e9)
        }),
      family("packhouse_received_bytes_total", "Bytes from clients, with TLS.", nil, [("", .bytesReceived)]),
      family("packhouse_sent_bytes_total", "Bytes to clients, with TLS.", nil, [("", .bytesSent)]),
      family(
        "packhouse_timeouts_total", "Connections that made no progress for too long.", "kind",
        [
          ("handshake", .handshakeTimeouts), ("head", .headTimeouts), ("idle", .idleTimeouts),
          ("body", .bodyTimeouts), ("send", .sendTimeouts), ("rate", .rateTimeouts),
        ]),
      family(
        "packhouse_limits_hit_total", "Refusals because of a limit.", "limit",
        [
          ("connections", .refusedByTotal), ("connections_per_address", .refusedByAddress),
          ("requests_per_address", .refusedRequests), ("request_head", .headsTooLong), ("body", .bodiesTooLong),
          ("minimum_rate", .rateTimeouts), ("workers", .workersBusy), ("open_files", .descriptorsExhausted),
          ("admin_requests", .requestsTooMany), ("ranges", .rangesTooMany), ("disk", .disksFull),
        ]),
      MetricFamily(
        "packhouse_upload_parts_received_total", .counter, "Parts of uploads that were taken.",
        [.init(listeners.reduce(0) { $0 + $1[.bodiesReceived] })]),
    ]
  }

  /// A counter for each listener, told apart by one more label.
  private func family(
    _ name: String, _ help: String, _ label: String?, _ counters: [(value: String, counter: ServerCounter)]
  ) -> MetricFamily {
    MetricFamily(
      name, .counter, help,
      listeners.flatMap { listener in
        counters.map { value, counter in
          let labels = [("listener", listener.name)] + (label.map { [($0, value)] } ?? [])
          return MetricFamily.Sample(labels, listener[counter])
        }
      })
  }
}
