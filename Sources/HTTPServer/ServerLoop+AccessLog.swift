import HTTPCore
import Observability
import SystemIO

// What is told of a request when it has ended.
extension ServerLoop {
  /// Remembers the request in `view` for the log, when there is one.
  func beginRecord(_ connection: Connection, _ view: RequestView) {
    guard accessLog != nil else { return }
    connection.record = AccessRecord(view, start: MonotonicClock.system.now())
  }

  /// Tells of the request in hand: its answer is sent as a whole, or the connection has gone.
  func endRecord(_ connection: Connection, isComplete: Bool) {
    guard let record = connection.record else { return }
    connection.record = nil
    var sent = connection.request.bodyLength
    if case .sending(let transfer) = connection.phase { sent -= transfer.remaining }
    logLines += record.line(
      time: dateSecond, client: connection.address, tls: connection.tls.version, status: connection.request.status,
      sent: max(0, sent), isComplete: isComplete, duration: (MonotonicClock.system.now() - record.start) / 1000)
    if logLines.count >= 64 * 1024 { handOverLog() }
  }

  /// Gives the gathered lines to the log's thread. Once a second, and when there are many.
  func handOverLog() {
    guard !logLines.isEmpty else { return }
    accessLog?.append(logLines)
    logLines.removeAll(keepingCapacity: true)
  }
}
