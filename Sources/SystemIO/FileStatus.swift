import CLinux
import Glibc

/// What the file system says about a path, links followed.
package struct FileStatus: Sendable, Equatable {
  /// Length in bytes.
  package let length: Int64
  /// Time of the last change of the bytes, in seconds since 1970.
  package let modified: Int64
  /// What `modified` leaves out, in nanoseconds.
  package let modifiedNanoseconds: Int64
  /// The file that the name leads to: another one after a rename over it.
  package let inode: UInt64
  package let isRegularFile: Bool
  package let isFolder: Bool

  /// The status of `path`, or nil when nothing is there.
  package static func of(_ path: String) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let failure = SystemFailure("stat", path)
      if failure.code == ENOENT || failure.code == ENOTDIR { return nil }
      throw failure
    }
    let kind = status.st_mode & S_IFMT
    return FileStatus(
      length: Int64(status.st_size), modified: Int64(status.st_mtim.tv_sec),
      modifiedNanoseconds: Int64(status.st_mtim.tv_nsec), inode: UInt64(status.st_ino), isRegularFile: kind == S_IFREG,
      isFolder: kind == S_IFDIR)
  }
}

/// Room on a file system.
package enum FreeSpace {
  /// Bytes that this process may still write on the file system of `path`; nil when it cannot be told.
  package static func bytes(at path: String) -> Int64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return overflow ? Int64.max : Int64(clamping: bytes)
  }
}
