import AssetPacks
import HTTPCore
import HTTPServer
import Observability
import TLS
import PackStore
import SystemIO

extension ServiceReadings {
  /// Every metric, in the order of docs/metrics.md.
  var families: [MetricFamily] {
    listenerFamilies + deliveryFamilies + catalogFamilies + limitFamilies + accessFamilies + quotaFamilies
      + processFamilies
  }

  private var deliveryFamilies: [MetricFamily] {
    var places = deliveries.versions.map { label, counts in
      ([("app", label.app), ("pack", label.pack ?? ""), ("version", label.version.map { "\($0)" } ?? "")], counts)
    }
    if deliveries.other != DeliveryCounts() {
      places.append(([("app", "other"), ("pack", "other"), ("version", "other")], deliveries.other))
    }
    return [
      MetricFamily(
        "packhouse_deliveries_total", .counter, "Answers with bytes of a version, by how they ended.",
        places.flatMap { labels, counts in
          [("complete", counts.complete), ("partial", counts.partial), ("aborted", counts.aborted)].map {
            MetricFamily.Sample(labels + [("result", $0.0)], $0.1)
          }
        }),
      MetricFamily(
        "packhouse_delivered_bytes_total", .counter, "Bytes of a version in all of these answers.",
        places.map { MetricFamily.Sample($0.0, $0.1.bytes) }),
    ]
  }

  private var catalogFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_versions", .gauge, "Versions in the catalog, by state.",
        VersionState.allCases.map { MetricFamily.Sample([("state", $0.rawValue)], versions[$0] ?? 0) }),
      MetricFamily(
        "packhouse_processing_queue_length", .gauge, "Versions that wait for the processor or are in its hands.",
        [.init(versions[.processing] ?? 0)]),
      MetricFamily(
        "packhouse_stuck_states", .gauge, "What sits in its state for longer than its deadline, by kind.",
        OverdueState.Kind.allCases.map { MetricFamily.Sample([("kind", $0.rawValue)], stuck[$0] ?? 0) }),
      MetricFamily(
        "packhouse_publishes_total", .counter, "Changes of what devices get, by result.",
        [.init([("result", "served")], publishes), .init([("result", "failed")], failedPublishes)]),
      MetricFamily(
        "packhouse_snapshot_faults", .gauge, "Versions that should be served and are not: file missing or damaged.",
        [.init(snapshotFaults)]),
      MetricFamily(
        "packhouse_certificate_days_left", .gauge, "Days until a certificate in service expires; negative afterwards.",
        certificates.map {
          MetricFamily.Sample(
            [("listener", $0.listener), ("file", $0.file)], Double(($0.notAfter - now) * 100 / 86_400) / 100)
        }),
      MetricFamily(
        "packhouse_worker_queue_length", .gauge, "Jobs that wait for a worker.", [.init(workersWaiting)]),
      MetricFamily(
        "packhouse_worker_queue_capacity", .gauge, "Jobs that may wait before requests are refused with 503.",
        [.init(workersCapacity)]),
      MetricFamily("packhouse_event_loops", .gauge, "Threads that serve connections.", [.init(loops)]),
      MetricFamily(
        "packhouse_ready", .gauge, "1 while the daemon is to be offered traffic, else 0.", [.init(isReady ? 1 : 0)]),
    ]
  }

  private var processFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_build_info", .gauge, "Always 1; the labels say what is running.",
        [.init([("version", version)], 1)]),
      MetricFamily(
        "process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.",
        Self.sample(ProcessFacts.startTime)),
      MetricFamily(
        "process_cpu_seconds_total", .counter, "Processor time of all threads, in user and kernel mode.",
        Self.sample(ProcessFacts.processorSeconds)),
      MetricFamily(
        "process_resident_memory_bytes", .gauge, "Memory in use.", Self.sample(ProcessFacts.residentBytes)),
      MetricFamily("process_open_fds", .gauge, "Open descriptors.", Self.sample(ProcessFacts.openDescriptors)),
      MetricFamily(
        "process_max_fds", .gauge, "Descriptors that may be open at once.", Self.sample(ProcessFacts.descriptorLimit)),
    ]
  }

  private static func sample(_ value: Int?) -> [MetricFamily.Sample] { value.map { [.init($0)] } ?? [] }

  private static func sample(_ value: Double?) -> [MetricFamily.Sample] { value.map { [.init($0)] } ?? [] }
}

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

// Who was not let in, and who is told of what happens.
extension ServiceReadings {
  var accessFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_authentication_failures_total", .counter, "Requests to the admin API that were not let in.",
        authenticationFailures.map { .init([("reason", $0.reason)], $0.count) }),
      MetricFamily(
        "packhouse_webhook_attempts_total", .counter, "Attempts to deliver an event to a webhook.",
        [.init([("result", "arrived")], webhooks.arrived), .init([("result", "failed")], webhooks.failed)]),
      MetricFamily(
        "packhouse_webhooks_disabled_total", .counter, "Webhooks that were switched off after failing for too long.",
        [.init(webhooks.disabled)]),
      MetricFamily(
        "packhouse_webhook_backlog", .gauge, "Deliveries that have not arrived yet.", [.init(webhookBacklog)]),
    ]
  }
}

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
