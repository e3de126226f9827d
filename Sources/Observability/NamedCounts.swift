import Synchronization

/// Counters by name, for rare events: each change takes a lock. Bounded, so that names from outside cannot fill the
/// memory.
package final class NamedCounts: Sendable {
  private static let capacity = 200
  private let counts = Mutex<[String: Int]>([:])

  package init() {}

  /// Adds one to `name`; to `other` when there are too many names.
  package func add(_ name: String) {
    counts.withLock { counts in
      let isKnown = counts[name] != nil || counts.count < Self.capacity
      counts[isKnown ? name : "other", default: 0] += 1
    }
  }

  /// All counters, in the order of their names.
  package var present: [(name: String, count: Int)] {
    counts.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }
}
