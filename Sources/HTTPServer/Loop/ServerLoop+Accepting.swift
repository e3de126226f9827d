import CLinux
import EventLoop
import Glibc
import HTTPCore
import SystemIO
import TLS

// The life of connections: accepted, timed out, closed.
extension ServerLoop {
  /// Accepts clients that wait at a listener.
  func accept(on position: Int) {
    guard position < acceptance.listeners.count else { return }
    let listener = acceptance.listeners[position]
    for _ in 0..<acceptance.nextBatch() {
      switch listener.socket.socket.accept() {
      case .connection(let raw, let peer):
        acceptance.shortSince = nil
        admit(FileDescriptor(owning: raw), peer, listener: listener.index)
      case .none: return
      case .exhausted:
        guard descriptorsAreShort(at: position) else { return }
      }
    }
  }

  private func admit(_ descriptor: consuming FileDescriptor, _ peer: InternetAddress, listener: Int) {
    let address = peer.host
    let endpoint = endpoints[listener]
    let isProxy = !endpoint.trustedProxies.isEmpty && endpoint.trustedProxies.contains(peer.number)
    // The text of an IPv4 address is its key, and already exists.
    let counted = isProxy ? nil : peer.family == AF_INET6 ? peer.number.limitKey : address
    var refusal = shared.load.admit(counted, listener: listener)
    if refusal == .total, makeRoom(listener: listener) > 0 { refusal = shared.load.admit(counted, listener: listener) }
    if let refusal {
      return counters.add(refusal == .total ? .refusedByTotal : .refusedByAddress, listener: listener)
    }
    guard let tls = try? ServerTLSConnection(endpoint.tls, loop: number, sink: sink) else {
      return shared.load.leave(counted, listener: listener)
    }
    counters.add(.accepted, listener: listener)
    let raw = descriptor.raw
    let token = connections.makeToken()
    let connection = Connection(
      descriptor: descriptor, tls: tls, listener: listener, address: address, token: token,
      limits: shared.limits.request,
      state: ConnectionStateMachine(awaitsProxyHeader: isProxy && endpoint.expectsProxyHeader, now: now))
    connection.countedAddress = counted
    connection.client = ClientAddress(peer.number)
    connection.isBehindProxy = isProxy
    connections.insert(connection)
    do {
      try poller.addEdges(raw, token: token)
    } catch {
      close(connection)
    }
  }

  /// Ends connections that made no progress for too long. Once a second.
  func tick() {
    resumeAccepting()
    for case let connection? in connections.places where connection.isOpen {
      switch connection.state.tick(now, shared.limits) {
      case .nothing: break
      case .resume: drive(connection)
      case .refuse(let counter):
        counters.add(counter, listener: connection.listener)
        refuse(connection, RequestFault.tooSlow)
        drive(connection)
      case .sayGoodbye(let counter):
        counters.add(counter, listener: connection.listener)
        closeProperly(connection)
      case .close(let counter):
        if let counter { counters.add(counter, listener: connection.listener) }
        close(connection)
      }
    }
  }

  /// Stops accepting, closes idle connections properly and lets the others finish.
  func drain(_ graceSeconds: Int64) {
    guard drainDeadline == nil else { return }
    drainDeadline = now + graceSeconds
    for listener in acceptance.listeners { poller.remove(listener.socket.socket.descriptor) }
    acceptance.listeners = []
    for case let connection? in connections.places
    where connection.state.drain(hasBacklog: !connection.backlog.isEmpty) {
      closeProperly(connection)
    }
  }

  /// Ends TLS, so that the client knows that nothing was cut off, and closes.
  func closeProperly(_ connection: Connection) {
    connection.tls.shutdown()
    flush(connection)
    close(connection)
  }

  /// Forgets the connection and closes its socket.
  func close(_ connection: Connection) {
    guard connection.isOpen else { return }
    sink.removeAll()
    if connection.state.close() { counters.add(.handshakesFailed, listener: connection.listener) }
    counters.add(.closed, listener: connection.listener)
    endRecord(connection, isComplete: false)
    abandonBody(connection)
    connection.carry.release()
    connection.backlog.release()
    connections.remove(connection)
    shared.load.leave(connection.countedAddress, listener: connection.listener)
  }
}
