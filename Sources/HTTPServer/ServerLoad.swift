import Synchronization

/// What all loops share: how much is going on. Touched when a connection comes or goes, never for a request.
package final class ServerLoad: Sendable {
  private struct State {
    var connections = 0
    var byAddress: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Open connections of all loops.
  package var openConnections: Int { state.withLock { $0.connections } }

  /// Counts one more connection from `address`, unless one of the limits is reached.
  func admit(_ address: String, limits: ServerLimits) -> Bool {
    state.withLock { state in
      let ofAddress = state.byAddress[address, default: 0]
      guard state.connections < limits.connections, ofAddress < limits.connectionsPerAddress else { return false }
      state.connections += 1
      state.byAddress[address] = ofAddress + 1
      return true
    }
  }

  func leave(_ address: String) {
    state.withLock { state in
      state.connections -= 1
      guard let ofAddress = state.byAddress[address] else { return }
      state.byAddress[address] = ofAddress > 1 ? ofAddress - 1 : nil
    }
  }
}
