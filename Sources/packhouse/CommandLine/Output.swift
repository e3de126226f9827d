import Glibc
import JSONText
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
