import HTTPCore
import Synchronization

/// What all loops share: how much is going on. Touched when a connection comes or goes, and for a request only when it
/// needs a worker, or a trusted proxy asks on somebody's behalf.
package final class ServerLoad: Sendable {
  /// How many connections a listener lets in.
  package struct Admission: Sendable, Equatable {
    package var connections: Int
    package var connectionsPerAddress: Int

    package init(connections: Int, connectionsPerAddress: Int) {
      self.connections = connections
      self.connectionsPerAddress = connectionsPerAddress
    }
  }

  /// Which limit is reached.
  enum Refusal {
    case total, address
  }

  /// Each listener counts for itself: a crowd at one must not shut out the clients of the other.
  private struct Listener {
    let admission: Admission
    var connections = 0
    var byAddress: [String: Int] = [:]

    init(_ admission: Admission) { self.admission = admission }

    mutating func enter(_ address: String) -> Bool {
      let present = byAddress[address, default: 0]
      guard present < admission.connectionsPerAddress else { return false }
      byAddress[address] = present + 1
      return true
    }

    mutating func leave(_ address: String) {
      guard let present = byAddress[address] else { return }
      byAddress[address] = present > 1 ? present - 1 : nil
    }
  }

  private let state: Mutex<[Listener]>
  private let requests = Atomic<Int>(0)

  init(_ admissions: [Admission]) { state = Mutex(admissions.map { Listener($0) }) }

  /// Open connections of all loops and listeners.
  package var openConnections: Int { state.withLock { $0.reduce(0) { $0 + $1.connections } } }

  /// Requests that a worker is processing or that wait for one, up to the end of their answer.
  package var requestsInHand: Int { requests.load(ordering: .relaxed) }

  /// Counts one more connection, unless one of the limits is reached. `address` is nil for a trusted proxy, behind
  /// which there are many clients.
  func admit(_ address: String?, listener: Int) -> Refusal? {
    state.withLock { listeners in
      guard listeners[listener].connections < listeners[listener].admission.connections else { return .total }
      if let address, !listeners[listener].enter(address) { return .address }
      listeners[listener].connections += 1
      return nil
    }
  }

  /// Counts a connection that was admitted without an address for one.
  func adopt(_ address: String, listener: Int) -> Bool { admitRequest(address, listener: listener) }

  func leave(_ address: String?, listener: Int) {
    state.withLock { listeners in
      listeners[listener].connections -= 1
      if let address { listeners[listener].leave(address) }
    }
  }

  /// Counts a request for the address that a trusted proxy has named, as if it were a connection.
  func admitRequest(_ address: String, listener: Int) -> Bool {
    state.withLock { $0[listener].enter(address) }
  }

  func leaveRequest(_ address: String, listener: Int) { state.withLock { $0[listener].leave(address) } }

  /// Counts a request that needs a worker, unless there are `limit` already.
  func beginWork(limit: Int) -> Bool {
    if requests.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
    endWork()
    return false
  }

  func endWork() { requests.wrappingSubtract(1, ordering: .relaxed) }
}
