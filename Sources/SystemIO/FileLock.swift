import CLinux
import Glibc

/// An advisory lock on a file (flock(2)), shared or exclusive; the kernel gives it back when the process ends, however
/// it ends. Nothing is written into the file, so that a full disk does not matter once it is there.
///
/// Two values in one process exclude each other as two processes do.
package final class FileLock: Sendable {
  package enum Kind: Sendable {
    /// Any number of holders, none of them exclusive.
    case shared
    case exclusive
  }

  private let file: FileDescriptor

  private init(_ file: consuming FileDescriptor) { self.file = file }

  /// Takes the lock at `path`, which is made when it is missing, and waits for it. Held as long as the value lives.
  package static func take(_ path: String, _ kind: Kind) throws(SystemFailure) -> FileLock {
    guard let lock = try attempt(path, kind, waits: true) else { throw SystemFailure("flock", path, code: EWOULDBLOCK) }
    return lock
  }

  /// The same without waiting; nil when somebody else holds it.
  package static func tryTake(_ path: String, _ kind: Kind) throws(SystemFailure) -> FileLock? {
    try attempt(path, kind, waits: false)
  }

  private static func attempt(_ path: String, _ kind: Kind, waits: Bool) throws(SystemFailure) -> FileLock? {
    let file = try FileDescriptor.open(path, O_RDWR | O_CREAT, mode: 0o640)
    let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    while flock(file.raw, operation) != 0 {
      let failure = SystemFailure("flock", path)
      if failure.code == EWOULDBLOCK { return nil }
      if failure.code != EINTR { throw failure }
    }
    return FileLock(file)
  }
}
