import Glibc
import Synchronization

/// A line on the terminal that shows how far something is. Silent when standard error is no terminal.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int64
  private let isShown: Bool
  private let lastPercent = Mutex(-1)

  /// `total` is in bytes.
  init(_ title: String, total: Int64, isQuiet: Bool) {
    self.title = title
    self.total = max(1, total)
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1
  }

  /// Shows that `done` bytes of the total are done.
  func show(_ done: Int64) {
    guard isShown else { return }
    let percent = Int(clamping: min(100, done * 100 / total))
    let isNew = lastPercent.withLock { last in
      defer { last = percent }
      return last != percent
    }
    guard isNew else { return }
    let filled = percent * 30 / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: 30 - filled)
    Output.tell("\r\(title) [\(bar)] \(percent) %")
  }

  /// Takes the line away.
  func end() {
    guard isShown else { return }
    Output.tell("\r\u{1B}[K")
  }
}
