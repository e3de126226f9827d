import Observability
import Synchronization

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
