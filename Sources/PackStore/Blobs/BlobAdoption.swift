import CLinux
import Glibc
import SystemIO
import Values

/// How an upload becomes a blob. Each step may be repeated, so that a start after a kill at any of them continues.
extension BlobStore {
  /// Makes the upload of `id`, whose bytes have this hash and size, the blob of that hash, durably.
  ///
  /// - Throws: `uploadBytesMissing` when neither the upload nor the blob is there.
  func adopt(upload id: String, sha256: String, size: Int64) throws(StoreFailure) {
    guard try hasUpload(id) else {
      guard try self.size(ofBlob: sha256) == size else { throw .uploadBytesMissing(upload: id) }
      // Killed after the rename: it may not be durable yet.
      return try synchronizeFolders(sha256)
    }
    try seal(upload: id)
    try move(upload: id, toBlob: sha256, size: size)
    try synchronizeFolders(sha256)
  }

  /// Makes the file read-only, and waits until the bytes are on the disk.
  func seal(upload id: String) throws(StoreFailure) {
    let path = path(ofUpload: id)
    try onDisk(path) { () throws(SystemFailure) in
      let file = try FileDescriptor.open(path, O_RDONLY)
      if fchmod(file.raw, 0o444) != 0 { throw SystemFailure("fchmod", path) }
      try file.synchronize(subject: path)
    }
  }

  /// Renames the upload. Where the same bytes are a blob already, drops the upload; where a file of another
  /// length has the blob's name, that file is damaged and goes to `quarantine/`.
  func move(upload id: String, toBlob sha256: String, size: Int64) throws(StoreFailure) {
    let source = path(ofUpload: id)
    let destination = path(ofBlob: sha256)
    try onDisk(destination) { () throws(SystemFailure) in
      try Folder.create(Folder.parent(of: destination))
      while try !moveFile(source, toNew: destination) {
        if try FileStatus.of(destination)?.length == size {
          try removeFile(source)
          return
        }
        let place = "\(quarantineFolder)/\(sha256).\(hexadecimal(try secureRandomBytes(4)))"
        if try !moveFile(destination, toNew: place) { throw SystemFailure("rename", destination, code: EEXIST) }
        try Folder.synchronize(quarantineFolder)
      }
    }
  }

  /// Makes the rename durable on both sides.
  func synchronizeFolders(_ sha256: String) throws(StoreFailure) {
    let shard = Folder.parent(of: path(ofBlob: sha256))
    try onDisk(shard) { () throws(SystemFailure) in
      try Folder.synchronize(shard)
      try Folder.synchronize(uploadsFolder)
    }
  }
}
