import Glibc
import JSONText
import Packing
import Synchronization
import SystemIO

/// What verbs write.
enum Output {
  /// The error of the first result that could not be written; 0 while there is none.
  private static let failure = Atomic<Int32>(0)

  /// Why results were lost; nil when none were. A reader that has gone wanted no more.
  static var lost: SystemFailure? {
    let code = failure.load(ordering: .relaxed)
    return code == 0 || code == EPIPE ? nil : SystemFailure("write", "standard output", code: code)
  }

  /// Opens /dev/null for whichever of the standard descriptors is closed. Else the next file or socket to be opened
  /// would take its number, and messages would be written into it.
  static func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Results: to standard output.
  static func write(_ text: String) {
    let code = write(text, to: STDOUT_FILENO)
    if code != 0 { _ = failure.compareExchange(expected: 0, desired: code, ordering: .relaxed) }
  }

  /// A document on one line.
  static func write(_ document: JSONValue) { write(document.text() + "\n") }

  /// A line of columns, each padded to its width; a longer text pushes the rest on.
  static func columns(_ columns: [(text: String, width: Int)]) {
    let padded = columns.map { text, width in text + String(repeating: " ", count: max(0, width - text.count)) }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    write(line + "\n")
  }

  /// Messages for the person: to standard error.
  static func tell(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  /// 0, or the error that ended it.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    let bytes = Array(text.utf8)
    var offset = 0
    return bytes.withUnsafeBytes { bytes in
      while offset < bytes.count, let start = bytes.baseAddress {
        let count = Glibc.write(descriptor, start + offset, bytes.count - offset)
        if count < 0 && errno != EINTR { return errno }
        offset += max(0, count)
      }
      return 0
    }
  }
}

extension Output {
  /// Writes a text to the file that `--output` names, whole or not at all, or to standard output.
  /// - Parameter replaces: a file that may be replaced without `--force`.
  static func write(
    _ bytes: [UInt8], for arguments: Arguments, replaces: String? = nil
  ) throws(CommandFailure) {
    guard let output = arguments.value("output") else {
      let text = String(decoding: bytes, as: UTF8.self)
      return write(text.hasSuffix("\n") ? text : text + "\n")
    }
    let isThere = isSymbolicLink(output) || (try? FileStatus.of(output)) != nil
    guard !isThere || arguments.has("force") || output == replaces else {
      throw CommandFailure(PackingFailure.outputExists(output))
    }
    // A device or pipe would be replaced by a file, and a link instead of what it leads to.
    if let status = try? FileStatus.of(output), !status.isRegularFile {
      throw CommandFailure(PackingFailure.outputKind(output))
    }
    let target = isSymbolicLink(output) ? realPath(output) ?? output : output
    do throws(SystemFailure) { try AtomicFile.write(bytes, to: target) } catch {
      throw CommandFailure(error.sentence, .cannotCreate)
    }
  }
}

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
