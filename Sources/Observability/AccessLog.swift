import CLinux
import EventLoop
import Glibc
import SystemIO

/// Where finished requests are written: one line of JSON each. Loops gather lines in buffers of their own and hand
/// them over whole; a thread writes them, so that a slow disk never holds up a loop.
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
    var dropped = 0
    var reopens = false
    var isStopped = false
  }

  /// Bytes that may wait for the disk; more are dropped and counted.
  private static let capacity = 4 << 20

  private let destination: Destination
  private let state = Condition(State())

  /// Opens the destination and starts the thread.
  package init(_ destination: Destination) throws(SystemFailure) {
    self.destination = destination
    let first = try Self.open(destination)
    let raw = first.release()
    _ = try SystemThread(name: "access log") { [state] in Self.write(destination, raw, state) }
  }

  /// Takes whole lines. Never waits for the disk.
  package func append(_ lines: [UInt8]) {
    state.withLock { state in
      guard state.pendingBytes + lines.count <= Self.capacity else {
        state.dropped += 1
        return
      }
      state.pending.append(lines)
      state.pendingBytes += lines.count
    }
  }

  /// Opens the file again by its name.
  package func reopen() { state.withLock { $0.reopens = true } }

  /// Writes what waits, then ends the thread; returns when both are done.
  package func stop() {
    state.withLock { $0.isStopped = true }
    state.wait { $0.pending.isEmpty ? .ready(()) : .wait }
  }

  private static func open(_ destination: Destination) throws(SystemFailure) -> FileDescriptor {
    switch destination {
    case .standardError:
      let raw = dup(STDERR_FILENO)
      guard raw >= 0 else { throw SystemFailure("dup", "standard error") }
      return FileDescriptor(owning: raw)
    case .file(let path):
      return try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o640)
    }
  }

  private static func write(_ destination: Destination, _ raw: Int32, _ state: Condition<State>) {
    var raw = raw
    defer { close(raw) }
    while true {
      let (lines, reopens, isStopped) = state.wait { state -> Condition<State>.Finding<([[UInt8]], Bool, Bool)> in
        guard !state.pending.isEmpty || state.reopens || state.isStopped else { return .wait }
        let taken = (state.pending, state.reopens, state.isStopped)
        state.reopens = false
        return .ready(taken)
      }
      if reopens, let fresh = try? open(destination) {
        close(raw)
        raw = fresh.release()
      }
      for line in lines { writeAll(line, to: raw) }
      state.withLock { state in
        // What was written leaves the queue only now, so that `stop` waits for it.
        state.pending.removeFirst(lines.count)
        state.pendingBytes = state.pending.reduce(0) { $0 + $1.count }
        if state.dropped > 0 {
          let note = Array("{\"dropped\":\(state.dropped)}\n".utf8)
          state.pending.append(note)
          state.pendingBytes += note.count
          state.dropped = 0
        }
      }
      if isStopped && lines.isEmpty { return }
    }
  }

  private static func writeAll(_ bytes: [UInt8], to raw: Int32) {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count, let start = bytes.baseAddress {
        let count = Glibc.write(raw, start + offset, bytes.count - offset)
        if count < 0 && errno != EINTR { return }
        offset += max(0, count)
      }
    }
  }
}
