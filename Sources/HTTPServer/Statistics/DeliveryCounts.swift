import HTTPCore

/// How often a version was delivered.
package struct DeliveryCounts: Sendable, Equatable {
  /// Answers sent as a whole that reached the pack's last byte: a download, or the last piece of one.
  package var complete = 0
  /// Answers sent as a whole that ended before the pack's last byte.
  package var partial = 0
  /// Answers that broke off.
  package var aborted = 0
  /// Bytes of the pack in all of these answers.
  package var bytes = 0

  package init() {}

  static func += (left: inout DeliveryCounts, right: DeliveryCounts) {
    left.complete += right.complete
    left.partial += right.partial
    left.aborted += right.aborted
    left.bytes += right.bytes
  }
}

/// What one loop has delivered since its last report. Used by the loop's thread only.
struct LoopDeliveries {
  private var counts: [DeliveryCounts] = []
  private var touched: [DeliveryLabel] = []

  /// Counts one answer. Memory grows with the highest index only.
  mutating func add(_ label: DeliveryLabel, at index: Int, sent: Int, isComplete: Bool, reachesEnd: Bool) {
    while counts.count <= index { counts.append(DeliveryCounts()) }
    if counts[index] == DeliveryCounts() { touched.append(label) }
    if !isComplete {
      counts[index].aborted += 1
    } else if reachesEnd {
      counts[index].complete += 1
    } else {
      counts[index].partial += 1
    }
    counts[index].bytes += sent
  }

  /// Hands everything over and starts again at zero.
  mutating func tell(_ tally: DeliveryTally) {
    guard !touched.isEmpty else { return }
    tally.add(touched.compactMap { label in label.index.map { (label, counts[$0]) } })
    for case let index? in touched.map(\.index) { counts[index] = DeliveryCounts() }
    touched.removeAll(keepingCapacity: true)
  }
}
