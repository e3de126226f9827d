import Glibc

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
