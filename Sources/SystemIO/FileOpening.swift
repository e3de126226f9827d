import CLinux
import Glibc

extension FileDescriptor {
  /// Opens `path` with `flags` (`O_CLOEXEC` is added); `mode` is for files that the call creates.
  package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemFailure) -> FileDescriptor
  {
    while true {
      let raw = Glibc.open(path, flags | O_CLOEXEC, mode)
      if raw >= 0 { return FileDescriptor(owning: raw) }
      let failure = SystemFailure("open", path)
      if failure.code != EINTR { throw failure }
    }
  }

  /// The length of the open file in bytes.
  package borrowing func length(subject: String = "") throws(SystemFailure) -> Int64 {
    var status = stat()
    if fstat(raw, &status) != 0 { throw SystemFailure("fstat", subject) }
    return Int64(status.st_size)
  }
}
