import CLinux
import Glibc

/// Messages for the person who runs the daemon: one line each on standard error, which systemd's
/// journal understands (`<3>` and so on are the priorities of sd-daemon(3)).
package struct Log: Sendable {
  /// How much a message matters.
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    /// The name in the configuration.
    package init?(name: String) {
      guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = level
    }
  }

  /// Messages that matter less are not written.
  package let threshold: Level
  /// Whether lines carry sd-daemon priorities; otherwise the level's name.
  package let forJournal: Bool

  /// Writes for the journal when standard error goes there (`JOURNAL_STREAM`, systemd.exec(5)).
  package init(threshold: Level) {
    self.threshold = threshold
    forJournal = getenv("JOURNAL_STREAM") != nil
  }

  package func error(_ message: @autoclosure () -> String) { write(.error, message) }
  package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  package func notice(_ message: @autoclosure () -> String) { write(.notice, message) }
  package func info(_ message: @autoclosure () -> String) { write(.info, message) }
  package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

  private func write(_ level: Level, _ message: () -> String) {
    guard level <= threshold else { return }
    // One line is one message: a path or a header with a line break in it must not forge another.
    let text = message().map { $0.isNewline || $0.asciiValue.map { $0 < 32 } == true ? " " : String($0) }.joined()
    var line = Array((forJournal ? "<\(level.rawValue)>\(text)\n" : "packhouse: \(level): \(text)\n").utf8)
    line.withUnsafeMutableBytes { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
