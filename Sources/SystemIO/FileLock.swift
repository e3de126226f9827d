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

/// An exclusive advisory lock on a file (flock(2)); the kernel gives it back when the process ends, however
/// it ends, so a left-over file never blocks a start.
package final class LockFile: Sendable {
  /// What came of an attempt.
  package enum Attempt: Sendable {
    case taken(LockFile)
    /// Another process has it; its id when the file tells.
    case heldByOther(processID: Int32?)
  }

  private let file: FileDescriptor

  private init(_ file: consuming FileDescriptor) { self.file = file }

  /// Takes the lock at `path` without waiting, and writes this process's id into the file.
  ///
  /// The lock is held as long as the returned value lives. The file itself stays: removing it would let two
  /// processes lock two different files of the same name.
  package static func take(_ path: String) throws(SystemFailure) -> Attempt {
    let file = try FileDescriptor.open(path, O_RDWR | O_CREAT, mode: 0o640)
    while flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
      let failure = SystemFailure("flock", path)
      if failure.code == EWOULDBLOCK { return .heldByOther(processID: try owner(path)) }
      if failure.code != EINTR { throw failure }
    }
    if ftruncate(file.raw, 0) != 0 { throw SystemFailure("ftruncate", path) }
    var failure: SystemFailure?
    Array("\(getpid())\n".utf8).withUnsafeBytes { bytes in
      do throws(SystemFailure) {
        try file.writeAll(bytes, at: 0, subject: path)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return .taken(LockFile(file))
  }

  private static func owner(_ path: String) throws(SystemFailure) -> Int32? {
    let text = String(decoding: try readFile(path, limit: 64), as: UTF8.self)
    return Int32(text.prefix { $0 != "\n" })
  }
}

extension LockFile {
  /// The process that has the lock at `path` now; nil when nobody has it or it does not say.
  package static func holder(_ path: String) -> Int32? { isHeldByOther(path) ? try? owner(path) : nil }

  /// Whether another process has the lock at `path` now. Takes nothing and writes nothing.
  package static func isHeldByOther(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return false }
    return flock(file.raw, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
