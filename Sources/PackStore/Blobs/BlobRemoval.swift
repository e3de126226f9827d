import CLinux
import Glibc
import SystemIO

/// How a blob goes away. What has it open reads on: the disk has the bytes back when the last descriptor is closed.
extension BlobStore {
  /// Removes a blob's file, durably. A file that is gone already is fine.
  func removeBlob(_ sha256: String) throws(StoreFailure) {
    let path = path(ofBlob: sha256)
    try onDisk(path) { () throws(SystemFailure) in
      let shard = Folder.parent(of: path)
      guard try FileStatus.of(shard) != nil else { return }
      _ = try removeFile(path)
      // Also when a run before this one was killed between the two.
      try Folder.synchronize(shard)
    }
  }

  /// The hashes that the files in `blobs/` are named by, in order; other names are left out.
  func names() throws(StoreFailure) -> [String] {
    let folder = blobsFolder
    var found: [String] = []
    for shard in try onDisk(folder, try Folder.names(folder))
    where shard.utf8.count == 2 {
      let path = "\(folder)/\(shard)"
      found += try onDisk(path, try Folder.names(path)).filter { name in
        name.utf8.count == 64 && name.hasPrefix(shard) && name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") }
      }
    }
    return found.sorted()
  }
}
