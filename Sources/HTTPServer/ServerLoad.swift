import Synchronization

/// Numbers that all loops share: how much is going on.
package final class ServerLoad: Sendable {
  private let connections = Atomic<Int>(0)

  /// Open connections of all loops.
  package var openConnections: Int { connections.load(ordering: .relaxed) }

  /// Counts one more connection unless `limit` is reached.
  func admit(limit: Int) -> Bool {
    if connections.add(1, ordering: .relaxed).newValue <= limit { return true }
    connections.subtract(1, ordering: .relaxed)
    return false
  }

  func leave() { connections.subtract(1, ordering: .relaxed) }
}
