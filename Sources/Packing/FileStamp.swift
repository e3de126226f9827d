import Glibc

/// By which it is noticed that a file changed between two looks.
struct FileStamp: Sendable, Equatable {
  /// Length in bytes.
  let size: Int64
  /// Seconds since 1970.
  let modified: Int64
  private let modifiedNanoseconds: Int64
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec)
    modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Whether both are the same file, changed or not.
  func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
