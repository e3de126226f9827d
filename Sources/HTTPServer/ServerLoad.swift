import Synchronization

/// What all loops share: how much is going on. Touched when a connection comes or goes, and for a request only when a
/// trusted proxy asks on somebody's behalf.
package final class ServerLoad: Sendable {
  /// Which limit is reached.
  enum Refusal {
    case total, address
  }

  private struct State {
    var connections = 0
    var byAddress: [String: Int] = [:]

    mutating func enter(_ address: String, limit: Int) -> Bool {
      let present = byAddress[address, default: 0]
      guard present < limit else { return false }
      byAddress[address] = present + 1
      return true
    }

    mutating func leave(_ address: String) {
      guard let present = byAddress[address] else { return }
      byAddress[address] = present > 1 ? present - 1 : nil
    }
  }

  private let state = Mutex(State())

  /// Open connections of all loops.
  package var openConnections: Int { state.withLock { $0.connections } }

  /// Counts one more connection, unless one of the limits is reached. `address` is nil for a trusted proxy, behind
  /// which there are many clients.
  func admit(_ address: String?, limits: ServerLimits) -> Refusal? {
    state.withLock { state in
      guard state.connections < limits.connections else { return .total }
      if let address, !state.enter(address, limit: limits.connectionsPerAddress) { return .address }
      state.connections += 1
      return nil
    }
  }

  /// Counts a connection that was admitted without an address for one.
  func adopt(_ address: String, limits: ServerLimits) -> Bool { admitRequest(address, limits: limits) }

  func leave(_ address: String?) {
    state.withLock { state in
      state.connections -= 1
      if let address { state.leave(address) }
    }
  }

  /// Counts a request for the address that a trusted proxy has named, as if it were a connection.
  func admitRequest(_ address: String, limits: ServerLimits) -> Bool {
    state.withLock { $0.enter(address, limit: limits.connectionsPerAddress) }
  }

  func leaveRequest(_ address: String) { state.withLock { $0.leave(address) } }
}
