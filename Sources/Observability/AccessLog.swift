import CLinux
import EventLoop
import Glibc
import SystemIO

/// Where finished requests are written: one line of JSON each. Loops gather lines in buffers of their own and hand
/// them over whole; a thread writes them, so that a slow or full disk never holds up a loop.
package final class AccessLog: Sendable {
  /// Where the lines go.
  package enum Destination: Sendable, Equatable {
    case standardError
    /// Appended to; opened again by `reopen`, for log rotation.
    case file(String)
  }

  private struct State: Sendable {
    var pending: [[UInt8]] = []
    var pendingBytes = 0
    /// Lines that found no room in memory or on the disk, in all.
    var lost = 0
    var reopens = false
    var isStopped = false
  }

  private let state = Condition(State())
  private let thread: SystemThread
  /// Bytes that may wait for the disk; more are dropped and counted.
  private let capacity: Int

  /// Opens the destination and starts the thread. `log` gets a message when the disk accepts nothing, and when it does
  /// again.
  package init(_ destination: Destination, capacity: Int = 4 << 20, log: Log? = nil) throws(SystemFailure) {
    self.capacity = capacity
    let writer = try AccessLogWriter(destination, log: log)
    thread = try SystemThread(name: "access log") { [state] in Self.write(writer, state) }
  }

  /// Takes whole lines. Never waits for the disk.
  package func append(_ lines: [UInt8]) {
    state.withLock { state in
      guard state.pendingBytes + lines.count <= capacity else {
        state.lost += AccessLogWriter.lines(in: lines[...])
        return
      }
      state.pending.append(lines)
      state.pendingBytes += lines.count
    }
  }

  /// Opens the file again by its name.
  package func reopen() { state.withLock { $0.reopens = true } }

  /// Lines lost since the start: the buffer was full, or the disk did not accept them.
  package var lostLines: Int { state.withLock { $0.lost } }

  /// Writes what waits, then ends the thread; returns when both are done. Call it once at most.
  package func stop() {
    state.withLock { $0.isStopped = true }
    thread.join()
  }

  private static func write(_ writer: AccessLogWriter, _ state: Condition<State>) {
    var told = 0
    while true {
      let taken = state.wait { state -> Condition<State>.Finding<State> in
        guard !state.pending.isEmpty || state.reopens || state.isStopped else { return .wait }
        defer { state.reopens = false }
        return .ready(state)
      }
      if taken.reopens { writer.reopen() }
      var lost = 0
      for lines in taken.pending { lost += writer.write(lines) }
      // The note goes with lines that were written: on a full disk it would be one more lost line.
      let missing = taken.lost + lost - told
      if missing > 0, !writer.isFailing, !taken.pending.isEmpty {
        told += missing
        _ = writer.write(Array("{\"dropped\":\(missing)}\n".utf8))
      }
      state.withLock { state in
        // What was written leaves the queue only now, so that `stop` waits for it.
        state.pending.removeFirst(taken.pending.count)
        state.pendingBytes = state.pending.reduce(0) { $0 + $1.count }
        state.lost += lost
      }
      if taken.isStopped && taken.pending.isEmpty { return }
    }
  }
}
