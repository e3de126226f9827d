import EventLoop
import HTTPCore
import SystemIO

// When there is no room for a new client: connections without a request give way, and nobody waits in vain.
extension ServerLoop {
  /// Connections that give way at once when there is no room; a scan of all of them pays for several.
  private static let batch = 32
  /// Seconds that new clients wait for a descriptor.
  private static let shortGrace: Int64 = 3

  /// Closes connections of this loop that wait for a request: idle ones first, then those whose handshake or head takes
  /// long, and of each kind the ones that wait longest. Returns how many.
  ///
  /// `listener` is the listener that is full; nil when it is descriptors that are short.
  func makeRoom(listener: Int?) -> Int {
    // Nothing changes within a second that would make another scan find more.
    guard acceptance.fruitlessScan != now else { return 0 }
    var candidates: [(kind: ConnectionStateMachine.GivingWay, since: Int64, connection: Connection)] = []
    for case let connection? in connections.places where listener == nil || connection.listener == listener {
      guard let kind = connection.state.givesWay(now) else { continue }
      candidates.append((kind, connection.state.since, connection))
    }
    guard !candidates.isEmpty else {
      acceptance.fruitlessScan = now
      return 0
    }
    candidates.sort { ($0.kind, $0.since) < ($1.kind, $1.since) }
    let chosen = candidates.prefix(Self.batch)
    for (_, _, connection) in chosen {
      counters.add(.gaveWay, listener: connection.listener)
      closeProperly(connection)
    }
    return chosen.count
  }

  /// There is no descriptor for a client that waits at the listener. True when room was made and it may be tried again.
  ///
  /// New clients stay in the kernel's queue until the next second. When there is no descriptor for three seconds, they
  /// are accepted with a reserved descriptor and closed, so that they learn of it instead of waiting for a timeout.
  func descriptorsAreShort(at position: Int) -> Bool {
    let listener = acceptance.listeners[position]
    counters.add(.descriptorsExhausted, listener: listener.index)
    if makeRoom(listener: nil) > 0 { return true }
    if let since = acceptance.shortSince, now - since >= Self.shortGrace {
      acceptance.reserve.lend {
        for _ in 0..<64 {
          guard case .connection(let raw, _) = listener.socket.socket.accept() else { return }
          _ = FileDescriptor(owning: raw)
          counters.add(.refusedByDescriptors, listener: listener.index)
        }
      }
    }
    acceptance.shortSince = acceptance.shortSince ?? now
    pauseAccepting()
    return false
  }

  private func pauseAccepting() {
    guard !acceptance.isPaused else { return }
    acceptance.isPaused = true
    for listener in acceptance.listeners { poller.remove(listener.socket.socket.descriptor) }
  }

  /// Once a second.
  func resumeAccepting() {
    guard acceptance.isPaused else { return }
    acceptance.isPaused = false
    acceptance.reserve.refill()
    for position in acceptance.listeners.indices { try? watch(position) }
  }
}
