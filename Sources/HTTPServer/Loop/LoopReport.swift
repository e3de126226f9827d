import HTTPCore
import Observability

/// What a loop reports to other threads, gathered for a second so that a request costs no lock.
struct LoopReport {
  private let tally: DeliveryTally
  let accessLog: AccessLog?
  var deliveries = LoopDeliveries()
  /// Lines for the access log that have not been handed over yet.
  private var lines: [UInt8] = []

  init(tally: DeliveryTally, accessLog: AccessLog?) {
    self.tally = tally
    self.accessLog = accessLog
  }

  /// Adds a line; many of them leave before the second is over.
  mutating func add(_ line: [UInt8]) {
    lines += line
    if lines.count >= 64 * 1024 { handOver() }
  }

  mutating func tell() {
    deliveries.tell(tally)
    handOver()
  }

  private mutating func handOver() {
    guard !lines.isEmpty else { return }
    accessLog?.append(lines)
    lines.removeAll(keepingCapacity: true)
  }
}
