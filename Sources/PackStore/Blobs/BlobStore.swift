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

  /// Where the blob of that hash stands, whether it is there or not.
  package func path(ofBlob sha256: String) -> String { "\(blobsFolder)/\(sha256.prefix(2))/\(sha256)" }

  /// Where the received bytes of an upload stand until they become a blob.
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

extension StoreFailure {
  /// A full or read-only disk by its own name, anything else as it is.
  init(_ failure: SystemFailure, path: String) {
    switch failure.code {
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EROFS: self = .readOnly(path: path)
    default: self = .system(failure)
    }
  }
}

/// Runs one step on the file system; a failure of it tells `path`.
func onDisk<T>(_ path: String, _ step: @autoclosure () throws(SystemFailure) -> T) throws(StoreFailure) -> T {
  try onDisk(path, steps: step)
}

/// The same for several steps.
func onDisk<T>(_ path: String, steps: () throws(SystemFailure) -> T) throws(StoreFailure) -> T {
  do throws(SystemFailure) { return try steps() } catch { throw StoreFailure(error, path: path) }
}

/// Runs something that may fail without a path: random bytes.
func random<T>(_ make: @autoclosure () throws(SystemFailure) -> T) throws(StoreFailure) -> T {
  do throws(SystemFailure) { return try make() } catch { throw .system(error) }
}
