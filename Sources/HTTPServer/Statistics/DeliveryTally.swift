import HTTPCore
import Synchronization

/// Deliveries of all loops by version. Bounded: when there are too many versions, the one whose last delivery is
/// longest ago loses its place, and its counts move to `other`.
package final class DeliveryTally: Sendable {
  private struct Place {
    let label: DeliveryLabel
    var counts: DeliveryCounts
    var lastUse: Int
  }

  private struct State {
    var places: [Int: Place] = [:]
    var other = DeliveryCounts()
    var clock = 0
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// `capacity` is how many versions are counted separately.
  init(capacity: Int = 1000) { self.capacity = max(1, capacity) }

  /// Adds what a loop has counted in the last second.
  func add(_ deliveries: [(label: DeliveryLabel, counts: DeliveryCounts)]) {
    state.withLock { state in
      state.clock += 1
      for (label, counts) in deliveries {
        guard let index = label.index else { continue }
        if state.places[index] == nil, state.places.count >= capacity { Self.makeRoom(&state) }
        state.places[index, default: Place(label: label, counts: DeliveryCounts(), lastUse: 0)].counts += counts
        state.places[index]?.lastUse = state.clock
      }
    }
  }

  private static func makeRoom(_ state: inout State) {
    guard let oldest = state.places.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    state.other += oldest.value.counts
    state.places[oldest.key] = nil
  }

  /// The versions that are counted separately, and the sum of all others.
  package var present: (versions: [(label: DeliveryLabel, counts: DeliveryCounts)], other: DeliveryCounts) {
    state.withLock { state in
      (state.places.sorted { $0.key < $1.key }.map { ($0.value.label, $0.value.counts) }, state.other)
    }
  }
}
