import HTTPCore
import SystemIO

// What is recorded of a request when it has ended: in the counters, and in the access log.
extension ServerLoop {
  /// Records that the request in `view` has begun, and, if there is an access log, what it will need.
  func beginRecord(_ connection: Connection, _ view: RequestView) {
    connection.request.start = MonotonicClock.system.now()
    if report.accessLog != nil { connection.record = AccessRecord(view) }
  }

  /// The same for a request that cannot be parsed.
  func beginUnreadable(_ connection: Connection) {
    connection.request = RequestFacts(start: MonotonicClock.system.now())
    if report.accessLog != nil { connection.record = AccessRecord() }
  }

  /// Records the current request: its answer was sent as a whole, or the connection is gone.
  func endRecord(_ connection: Connection, isComplete: Bool) {
    let request = connection.request
    guard request.start != 0 else { return }
    connection.request.start = 0
    let duration = MonotonicClock.system.now() - request.start
    var sent = request.bodyLength
    var label: DeliveryLabel?
    var kind = ServerCounter.message
    if let transfer = connection.transfer {
      sent = max(0, sent - transfer.remaining)
      if let (representation, reachesEnd) = transfer.delivery {
        kind = ServerCounter.kind(request.status)
        label = representation.label
        if let label, let index = label.index, !request.isHead, kind == .whole || kind == .range {
          report.deliveries.add(label, at: index, sent: sent, isComplete: isComplete, reachesEnd: reachesEnd)
        }
      }
    }
    count(connection, request, kind, duration)
    if let key = request.forwardedKey {
      connection.request.forwardedFor = nil
      connection.request.forwardedKey = nil
      shared.load.leaveRequest(key, listener: connection.listener)
    }
    if request.isInHand {
      connection.request.isInHand = false
      shared.load.endWork()
    }
    guard let record = connection.record else { return }
    connection.record = nil
    report.add(
      record.line(
        time: clock.dateSecond, client: request.forwardedFor ?? connection.address, tls: connection.tls.version,
        status: request.status, sent: sent, isComplete: isComplete, duration: duration / 1000, label: label))
  }

  private func count(_ connection: Connection, _ request: RequestFacts, _ kind: ServerCounter, _ duration: Int64) {
    let listener = connection.listener
    counters.add(ServerCounter.status(request.status), listener: listener)
    if request.status != 0 { counters.add(kind, listener: listener) }
    counters.addDuration(duration, listener: listener)
    switch request.status {
    case 413: counters.add(.bodiesTooLong, listener: listener)
    case 507: counters.add(.disksFull, listener: listener)
    case 414, 431: counters.add(.headsTooLong, listener: listener)
    case 200..<300 where request.isReceived: counters.add(.bodiesReceived, listener: listener)
    default: break
    }
  }
}
