import CLinux
import Digests
import Glibc
import SystemIO

/// Blobs are read from end to end here: to check them, and to copy them.
extension BlobStore {
  /// What reading a blob's file found.
  enum Finding: Equatable {
    case intact
    case missing
    /// A sentence without its full stop.
    case damaged(String)
  }

  /// Reads the file at `path` and compares it with what it should be.
  static func examine(_ path: String, sha256: String, size: Int64) throws(StoreFailure) -> Finding {
    let file: FileDescriptor
    do throws(SystemFailure) {
      file = try FileDescriptor.open(path, O_RDONLY)
    } catch {
      if error.code == ENOENT { return .missing }
      throw StoreFailure(error, path: path)
    }
    do throws(SystemFailure) {
      return finding(try hash(file, path), sha256: sha256, size: size)
    } catch {
      // The disk itself says that it has lost something.
      if error.code == EIO { return .damaged("it cannot be read from the disk") }
      throw StoreFailure(error, path: path)
    }
  }

  /// Copies the blob at `source` to `destination`, durably, and checks it on the way; only an intact copy gets its
  /// name. The caller makes the folder durable. An intact copy that already exists is left as it is.
  static func copy(
    _ source: String, to destination: String, sha256: String, size: Int64
  ) throws(StoreFailure) -> Finding {
    let temporary = destination + AtomicFile.temporarySuffix
    return try onDisk(destination) { () throws(SystemFailure) in
      guard try FileStatus.of(source) != nil else { return .missing }
      let file = try FileDescriptor.open(source, O_RDONLY)
      try Folder.create(Folder.parent(of: destination), mode: 0o700)
      _ = try removeFile(temporary)
      let copy = try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      let read: (hash: String, size: Int64)
      do throws(SystemFailure) {
        read = try hash(file, source, copyingTo: copy, temporary)
      } catch {
        _ = try removeFile(temporary)
        if error.code == EIO { return .damaged("it cannot be read from the disk") }
        throw error
      }
      let found = finding(read, sha256: sha256, size: size)
      guard found == .intact else {
        _ = try removeFile(temporary)
        return found
      }
      if fchmod(copy.raw, 0o444) != 0 { throw SystemFailure("fchmod", temporary) }
      try copy.synchronize(subject: temporary)
      if rename(temporary, destination) != 0 { throw SystemFailure("rename", destination) }
      return .intact
    }
  }

  private static func finding(
    _ read: (hash: String, size: Int64), sha256: String, size: Int64
  ) -> Finding {
    if read.size != size { return .damaged("it has \(read.size) bytes instead of \(size)") }
    return read.hash == sha256 ? .intact : .damaged("its bytes have the hash \(read.hash)")
  }

  private static let chunkSize = 1 << 20

  /// The hash and length of a file.
  static func hash(
    _ file: borrowing FileDescriptor, _ path: String
  ) throws(SystemFailure) -> (hash: String, size: Int64) {
    let digest = Digest()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 4096)
    defer { chunk.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = try file.readAll(into: chunk, at: offset, subject: path)
      digest.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      offset += Int64(count)
      if count < chunk.count { return (digest.finishText(), offset) }
    }
  }

  /// The same, and a copy on the way.
  private static func hash(
    _ file: borrowing FileDescriptor, _ path: String, copyingTo copy: borrowing FileDescriptor, _ copyPath: String
  ) throws(SystemFailure) -> (hash: String, size: Int64) {
    let digest = Digest()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 4096)
    defer { chunk.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = try file.readAll(into: chunk, at: offset, subject: path)
      let piece = UnsafeRawBufferPointer(rebasing: chunk[..<count])
      digest.update(piece)
      try copy.writeAll(piece, at: offset, subject: copyPath)
      offset += Int64(count)
      if count < chunk.count { return (digest.finishText(), offset) }
    }
  }
}
