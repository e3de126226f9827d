import CLinux
import Glibc

/// A system call that failed: which one, on what, and the kernel's reason.
package struct SystemFailure: Error, Equatable, CustomStringConvertible {
  /// The call, in its own words: `open`, `fsync`, `bind`.
  package let call: String
  /// The path, address or other thing that the call was about; empty when there is none.
  package let subject: String
  /// The kernel's `errno` value.
  package let code: Int32

  package init(_ call: String, _ subject: String, code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// Takes the thread's current `errno`; must be the first thing after the failed call.
  package init(_ call: String, _ subject: String = "") {
    self.init(call, subject, code: errno)
  }

  /// The kernel's words for `code`, as strerror(3) gives them.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }
}
