import CLinux
import Glibc
import SystemIO

/// How long a client waits. There is no limit on the whole exchange: a large pack over a slow line takes hours.
package struct ClientPatience: Sendable {
  /// For a connection to be made, the TLS handshake included; for each address that is tried.
  package var connect: Duration
  /// Without a single byte moving, once the connection is there.
  package var noProgress: Duration
  /// For everything that is done over one connection; nil for no limit.
  package var whole: Duration?
  /// A descriptor that becomes readable when waiting is to end at once with ECANCELED; it must stay open meanwhile.
  package var cancellation: Int32?

  package init(connect: Duration = .seconds(15), noProgress: Duration = .seconds(60)) {
    self.connect = connect
    self.noProgress = noProgress
  }
}

/// Waiting until a socket can be read or written.
package enum ClientSocketWait {
  package enum Outcome: Sendable, Equatable {
    /// Reading, or writing, will not block; it may still report an error.
    case ready(readable: Bool, writable: Bool)
    case timedOut
  }

  /// Waits for any of the wanted directions until `deadline`. A socket in error counts as ready in both. ECANCELED is
  /// thrown when `cancellation` becomes readable.
  package static func wait(
    _ socket: Int32, reading: Bool, writing: Bool, until deadline: ContinuousClock.Instant, cancellation: Int32? = nil
  ) throws(SystemFailure) -> Outcome {
    while true {
      let left = deadline - .now
      let milliseconds = left.components.seconds.multipliedReportingOverflow(by: 1000).partialValue
        .addingReportingOverflow(left.components.attoseconds / 1_000_000_000_000_000 + 1).partialValue
      // A negative descriptor is passed over.
      var entries = (
        pollfd(fd: socket, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0),
        pollfd(fd: cancellation ?? -1, events: Int16(POLLIN), revents: 0)
      )
      let count = withUnsafeMutablePointer(to: &entries) { entries in
        entries.withMemoryRebound(to: pollfd.self, capacity: 2) {
          poll($0, 2, Int32(clamping: max(0, left < .zero ? 0 : milliseconds)))
        }
      }
      if count > 0, entries.1.revents != 0 { throw SystemFailure("poll", "", code: ECANCELED) }
      let entry = entries.0
      if count < 0 {
        guard errno == EINTR else { throw SystemFailure("poll") }
        continue
      }
      if count > 0 {
        let broken = Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
        return .ready(
          readable: broken || Int32(entry.revents) & POLLIN != 0,
          writable: broken || Int32(entry.revents) & POLLOUT != 0)
      }
      if ContinuousClock.now >= deadline { return .timedOut }
    }
  }
}
