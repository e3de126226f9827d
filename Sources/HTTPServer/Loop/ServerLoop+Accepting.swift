import CLinux
import EventLoop
import Glibc
import HTTPCore
import SystemIO
import TLS

// The life of connections: accepted, timed out, closed.
extension ServerLoop {
  /// Takes connections that wait: one, and more each time when round after round somebody waits. Asking for one that is
  /// not there costs as much as taking one.
  func accept(on position: Int) {
    guard position < listeners.count else { return }
    let listener = listeners[position]
    acceptLimit = acceptRound &+ 1 == round ? min(2 * acceptLimit, 64) : 1
    acceptRound = round
    for _ in 0..<acceptLimit {
      switch listener.socket.socket.accept() {
      case .connection(let raw, let peer):
        shortSince = nil
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
    // The text of an IPv4 address is its key, and is there already.
    let counted = isProxy ? nil : peer.family == AF_INET6 ? peer.number.limitKey : address
    var refusal = load.admit(counted, listener: listener)
    if refusal == .total, makeRoom(listener: listener) > 0 { refusal = load.admit(counted, listener: listener) }
    if let refusal {
      return counters.add(refusal == .total ? .refusedByTotal : .refusedByAddress, listener: listener)
    }
    guard let tls = try? ServerTLSConnection(endpoint.tls, loop: number, sink: sink) else {
      return load.leave(counted, listener: listener)
    }
    counters.add(.accepted, listener: listener)
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = slots.count
      slots.append(nil)
    }
    // 31 bits of generation keep every token below those of the listeners.
    generation = (generation + 1) & 0x7fff_ffff
    let token = generation << 32 | UInt64(slot)
    let raw = descriptor.raw
    let connection = Connection(
      descriptor: descriptor, tls: tls, listener: listener, address: address, token: token, limits: limits.request,
      now: now, deadline: now + limits.headerTime)
    connection.countedAddress = counted
    connection.client = ClientAddress(peer.number)
    connection.isBehindProxy = isProxy
    connection.awaitsProxyHeader = isProxy && endpoint.expectsProxyHeader
    slots[slot] = connection
    connectionCount += 1
    do {
      try poller.addEdges(raw, token: token)
    } catch {
      close(connection)
    }
  }

  /// Ends connections that made no progress for too long. Once a second.
  func sweep() {
    resumeAccepting()
    let cold = coldWithoutWorker
    coldWithoutWorker = []
    for token in cold { warmed(token, true) }
    for case let connection? in slots where isTooSlow(connection) {
      counters.add(.rateTimeouts, listener: connection.listener)
      close(connection)
    }
    for case let connection? in slots where now > connection.deadline {
      let listener = connection.listener
      switch connection.phase {
      case .head where !connection.carry.isEmpty:
        counters.add(.headTimeouts, listener: listener)
        beginUnreadable(connection)
        refuse(connection, RequestFault.tooSlow)
        drive(connection)
      case .body:
        counters.add(.bodyTimeouts, listener: listener)
        refuse(connection, RequestFault.tooSlow)
        drive(connection)
      case .head:
        counters.add(.idleTimeouts, listener: listener)
        connection.tls.shutdown()
        flush(connection)
        close(connection)
      case .waiting:
        // A worker has it in hand; the worker's own limits end it.
        connection.deadline = now + limits.uploadStall
      case .handshake:
        counters.add(.handshakeTimeouts, listener: listener)
        close(connection)
      case .sending:
        counters.add(.sendTimeouts, listener: listener)
        close(connection)
      case .lingering:
        close(connection)
      }
    }
  }

  /// Whether a transfer has stayed below the minimum rate for a whole window.
  private func isTooSlow(_ connection: Connection) -> Bool {
    switch connection.phase {
    case .sending, .body: break
    case .handshake, .head, .waiting, .lingering:
      connection.rate = RateWindow(start: now)
      return false
    }
    let elapsed = now - connection.rate.start
    guard limits.minimumRate > 0, elapsed > 0, elapsed >= limits.rateWindow else { return false }
    defer { connection.rate = RateWindow(start: now) }
    return connection.rate.bytes / elapsed < limits.minimumRate
  }

  /// Stops accepting, tells idle clients good-bye and lets the others finish.
  func drain(_ graceSeconds: Int64) {
    guard drainDeadline == nil else { return }
    drainDeadline = now + graceSeconds
    for listener in listeners { poller.remove(listener.socket.socket.descriptor) }
    listeners = []
    for case let connection? in slots {
      connection.closesAfterAnswer = true
      if connection.isIdle {
        connection.tls.shutdown()
        flush(connection)
        close(connection)
      }
    }
  }

  func closeAll() {
    for case let connection? in slots { close(connection) }
  }

  /// Forgets the connection and closes its socket.
  func close(_ connection: Connection) {
    let slot = Int(connection.token & 0xffff_ffff)
    guard slot < slots.count, slots[slot] === connection else { return }
    sink.removeAll()
    if case .handshake = connection.phase { counters.add(.handshakesFailed, listener: connection.listener) }
    counters.add(.closed, listener: connection.listener)
    endRecord(connection, isComplete: false)
    if case .body(let intake) = connection.phase { abandon(intake, connection.token) }
    connection.carry.release()
    connection.backlog.release()
    slots[slot] = nil
    freeSlots.append(slot)
    connectionCount -= 1
    load.leave(connection.countedAddress, listener: connection.listener)
  }
}
