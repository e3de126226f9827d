import CLinux
import Glibc
import SystemIO

/// The received bytes of uploads: sparse files that have their full length from the start.
extension BlobStore {
  /// Makes the file of a new upload, durable before its row is written: a row without a file would be a lost
  /// upload, a file without a row is cleaned up at start.
  func createUpload(_ id: String, size: Int64) throws(StoreFailure) {
    let path = path(ofUpload: id)
    try onDisk(path) { () throws(SystemFailure) in
      let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      if ftruncate(file.raw, Int(size)) != 0 {
        let failure = SystemFailure("ftruncate", path)
        unlink(path)
        throw failure
      }
      try file.synchronize(subject: path)
      try Folder.synchronize(uploadsFolder)
    }
  }

  /// Whether the file of an upload is there.
  func hasUpload(_ id: String) throws(StoreFailure) -> Bool {
    let path = path(ofUpload: id)
    return try onDisk(path, try FileStatus.of(path) != nil)
  }

  /// Removes the file of an upload, if it is there.
  func removeUpload(_ id: String) throws(StoreFailure) {
    let path = path(ofUpload: id)
    try onDisk(path) { () throws(SystemFailure) in
      if try removeFile(path) { try Folder.synchronize(uploadsFolder) }
    }
  }
}
