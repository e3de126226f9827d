import CLinux
import Glibc

/// An open file descriptor that closes itself once.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The kernel's number; valid as long as this value lives.
  package let raw: Int32

  /// Takes ownership of `raw`, which must be open and have no other owner.
  package init(owning raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  /// Gives the descriptor away without closing it.
  package consuming func release() -> Int32 {
    let raw = self.raw
    discard self
    return raw
  }
}

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

extension FileDescriptor {
  /// Writes all of `bytes` from `offset` on: goes on after short writes and interrupted calls.
  ///
  /// - Parameter subject: the path, for the failure's text.
  /// - Throws: the failure of pwrite(2); how much was written before it is unknown.
  package borrowing func writeAll(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, subject: String = ""
  ) throws(SystemFailure) {
    var rest = bytes
    var position = offset
    while !rest.isEmpty {
      let count = pwrite(raw, rest.baseAddress, rest.count, Int(position))
      if count < 0 {
        let failure = SystemFailure("pwrite", subject)
        if failure.code == EINTR { continue }
        throw failure
      }
      // A write of no bytes for a count above zero would loop forever.
      if count == 0 { throw SystemFailure("pwrite", subject, code: EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      position += Int64(count)
    }
  }

  /// Fills `buffer` from `offset` on, up to the end of the file.
  ///
  /// - Returns: how many bytes were read; less than `buffer.count` only at the end of the file.
  package borrowing func readAll(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, subject: String = ""
  ) throws(SystemFailure) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = pread(raw, rest.baseAddress, rest.count, Int(offset) + filled)
      if count < 0 {
        let failure = SystemFailure("pread", subject)
        if failure.code == EINTR { continue }
        throw failure
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Waits until the file's bytes and attributes are on the disk: fsync(2).
  package borrowing func synchronize(subject: String = "") throws(SystemFailure) {
    while fsync(raw) != 0 {
      let failure = SystemFailure("fsync", subject)
      if failure.code != EINTR { throw failure }
    }
  }

  /// Waits until the file's bytes, and the attributes needed to read them, are on the disk: fdatasync(2).
  package borrowing func synchronizeData(subject: String = "") throws(SystemFailure) {
    while fdatasync(raw) != 0 {
      let failure = SystemFailure("fdatasync", subject)
      if failure.code != EINTR { throw failure }
    }
  }
}
