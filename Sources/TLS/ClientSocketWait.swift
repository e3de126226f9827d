import CLinux
import Glibc
import SystemIO

/// Waiting until a socket can be read or written.
package enum ClientSocketWait {
  package enum Outcome: Sendable, Equatable {
    /// Reading, or writing, will not block; it may still report an error.
    case ready(readable: Bool, writable: Bool)
    case timedOut
  }

  /// Waits for any of the wanted directions until `deadline`. A socket in error counts as ready in both.
  package static func wait(
    _ socket: Int32, reading: Bool, writing: Bool, until deadline: ContinuousClock.Instant
  ) throws(SystemFailure) -> Outcome {
    while true {
      let left = deadline - .now
      let milliseconds = left.components.seconds.multipliedReportingOverflow(by: 1000).partialValue
        .addingReportingOverflow(left.components.attoseconds / 1_000_000_000_000_000 + 1).partialValue
      var entry = pollfd(
        fd: socket, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0)
      let count = poll(&entry, 1, Int32(clamping: max(0, left < .zero ? 0 : milliseconds)))
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
