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

extension SystemFailure {
  /// What failed, on what, why, and what to do about it, as one sentence for a person.
  package var sentence: String {
    let what = subject.isEmpty ? "\(call) failed" : "\(call) failed for \(subject)"
    return "\(what): \(reason).\(advice.isEmpty ? "" : " \(advice)")"
  }

  private var advice: String {
    switch code {
    case ENOSPC, EDQUOT: "Make room on that file system."
    case EACCES, EPERM: "Check the owner and the mode; the daemon's user needs access."
    case EROFS: "The file system is mounted read-only."
    case EMFILE, ENFILE: "Raise the limit of open files (LimitNOFILE in the unit)."
    case EIO: "The disk reports an error; look at the kernel's log."
    case EFBIG: "The file is larger than what is read here."
    default: ""
    }
  }
}
