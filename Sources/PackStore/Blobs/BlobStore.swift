import CLinux
import Glibc
import SystemIO

/// The files of a state folder: `blobs/ab/<sha256>`, `uploads/<id>`, `quarantine/`.
///
/// A blob is named by the hash of its bytes, is never written to again (mode 0444), and is in the catalog only
/// after it is durable here.
package struct BlobStore: Sendable {
  /// The state folder.
  package let folder: String

  var blobsFolder: String { "\(folder)/blobs" }
  var uploadsFolder: String { "\(folder)/uploads" }
  var quarantineFolder: String { "\(folder)/quarantine" }
  var publishedFolder: String { "\(folder)/published" }

  /// Creates the folders that are missing. Needs no catalog, so that blobs can be served without one.
  package init(folder: String) throws(StoreFailure) {
    self.folder = folder
    for path in [blobsFolder, uploadsFolder, quarantineFolder, publishedFolder] {
      try onDisk(path, try Folder.create(path))
    }
  }

  /// The path of the blob with that hash, whether it exists or not.
  package func path(ofBlob sha256: String) -> String { "\(blobsFolder)/\(sha256.prefix(2))/\(sha256)" }

  /// The path of an upload's received bytes until they become a blob.
  package func path(ofUpload id: String) -> String { "\(uploadsFolder)/\(id)" }

  /// Whether there is no blob and nothing was ever published.
  func isEmpty() throws(StoreFailure) -> Bool {
    for path in [blobsFolder, publishedFolder] {
      guard try onDisk(path, try Folder.names(path).isEmpty) else { return false }
    }
    return true
  }

  /// Opens a blob for reading.
  ///
  /// - Throws: `blobMissing`, or `blobDamaged` when its length is not `size`.
  package func openBlob(_ sha256: String, size: Int64) throws(StoreFailure) -> FileDescriptor {
    let path = path(ofBlob: sha256)
    let file: FileDescriptor
    do throws(SystemFailure) {
      file = try FileDescriptor.open(path, O_RDONLY)
    } catch {
      throw error.code == ENOENT ? .blobMissing(sha256: sha256, path: path) : StoreFailure(error, path: path)
    }
    let length: Int64
    do throws(SystemFailure) { length = try file.length(subject: path) } catch { throw StoreFailure(error, path: path) }
    guard length == size else { throw .blobDamaged(sha256: sha256, expectedSize: size, size: length) }
    return file
  }

  /// The length of the blob of that hash; nil when there is none.
  func size(ofBlob sha256: String) throws(StoreFailure) -> Int64? {
    let path = path(ofBlob: sha256)
    return try onDisk(path, try FileStatus.of(path)?.length)
  }
}

/// How a blob is removed. Open descriptors can still read it; its space is freed when the last one is closed.
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
