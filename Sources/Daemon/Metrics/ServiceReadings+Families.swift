import AssetPacks
import HTTPCore
import HTTPServer
import Observability
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
