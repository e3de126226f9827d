import AppleArchive
import Digests
import Glibc
import SystemIO

/// An archive on the disk, opened once and read as often as needed.
package final class ArchiveFile: Sendable {
  package let path: String
  /// Length in bytes when it was opened.
  package let length: Int64
  private let descriptor: FileDescriptor
  /// Told how far the reading has come, in bytes.
  private let progress: (@Sendable (Int64) -> Void)?

  /// Opens the file at `path`.
  package convenience init(_ path: String) throws(SystemFailure) {
    // Without O_NONBLOCK a pipe that nobody writes to would never open.
    try self.init(FileDescriptor.open(path, O_RDONLY | O_NONBLOCK), path: path)
  }

  /// Takes over an open file; `path` is for messages.
  package init(
    _ descriptor: consuming FileDescriptor, path: String, progress: (@Sendable (Int64) -> Void)? = nil
  ) throws(SystemFailure) {
    var status = stat()
    guard fstat(descriptor.raw, &status) == 0 else { throw SystemFailure("fstat", path) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw SystemFailure("read", path, code: kind == S_IFDIR ? EISDIR : ESPIPE) }
    self.progress = progress
    length = Int64(status.st_size)
    self.path = path
    self.descriptor = descriptor
  }

  /// By which a change is noticed.
  func stamp() throws(SystemFailure) -> FileStamp {
    var status = stat()
    guard fstat(descriptor.raw, &status) == 0 else { throw SystemFailure("fstat", path) }
    return FileStamp(status)
  }

  /// Reads from `offset` on; 0 at the end only.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
    while true {
      let count = pread(descriptor.raw, buffer.baseAddress, buffer.count, Int(offset))
      if count >= 0 {
        progress?(offset + Int64(count))
        return count
      }
      if errno != EINTR { throw SystemFailure("read", path) }
    }
  }
}

extension ArchiveFile {
  /// Hands the bytes from `start` to `end` to `body`, a piece at a time. Ends early at the end of the file, and when
  /// `body` returns false.
  package func forEachPiece(
    from start: Int64 = 0, to end: Int64? = nil, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(SystemFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    var offset = start
    let end = end ?? Int64.max
    while offset < end {
      let wanted = Int(min(Int64(buffer.count), end - offset))
      let count = try read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
      guard count > 0, body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
      offset += Int64(count)
    }
  }

  /// The SHA-256 of the whole file as 64 lower-case hexadecimal digits; nil when `isStopped` said so in between.
  package func sha256(isStopped: () -> Bool = { false }) throws(SystemFailure) -> String? {
    let digest = Digest(.sha256)
    var wasStopped = false
    try forEachPiece { bytes in
      wasStopped = isStopped()
      digest.update(bytes)
      return !wasStopped
    }
    return wasStopped ? nil : digest.finishText()
  }
}

/// Reads an `ArchiveFile` from front to back.
package struct ArchiveFileSource: ArchiveSource {
  private let file: ArchiveFile
  private var offset: Int64 = 0

  package init(_ file: ArchiveFile) { self.file = file }

  package var length: Int64? { file.length }

  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveFailure) -> Int {
    do throws(SystemFailure) {
      let count = try file.read(at: offset, into: buffer)
      offset += Int64(count)
      return count
    } catch {
      throw .source(error.sentence)
    }
  }
}
