import Glibc
import JSONText

/// What verbs write.
enum Output {
  /// Results: to standard output.
  static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

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
  static func tell(_ text: String) { write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var offset = 0
    bytes.withUnsafeBytes { bytes in
      while offset < bytes.count, let start = bytes.baseAddress {
        let count = Glibc.write(descriptor, start + offset, bytes.count - offset)
        if count < 0 && errno != EINTR { return }
        offset += max(0, count)
      }
    }
  }
}
