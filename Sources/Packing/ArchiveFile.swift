import AppleArchive
import Digests
import Glibc
import SystemIO
import Values

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

extension ArchiveFile {
  /// Opens what a person names: a file, `-` for standard input, or a pipe. What comes through a pipe is first copied to
  /// a file without a name in the temporary folder, `limit` bytes at most, because archives are read more than once.
  /// - Parameter progress: told how many bytes of how many have been read.
  package static func open(
    named path: String, limit: Int64, progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)? = nil
  ) throws(SystemFailure) -> ArchiveFile {
    let opened = try descriptor(named: path)
    var status = stat()
    guard fstat(opened.raw, &status) == 0 else { throw SystemFailure("fstat", path) }
    if [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) {
      return try ArchiveFile(copy(of: opened, path, limit), path: path)
    }
    let total = Int64(status.st_size)
    var report: (@Sendable (Int64) -> Void)?
    if let progress { report = { progress($0, total) } }
    return try ArchiveFile(opened, path: path, progress: report)
  }

  private static func descriptor(named path: String) throws(SystemFailure) -> FileDescriptor {
    guard path == "-" else { return try FileDescriptor.open(path, O_RDONLY) }
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemFailure("read", "standard input") }
    return FileDescriptor(owning: copy)
  }

  private static func copy(
    of pipe: borrowing FileDescriptor, _ path: String, _ limit: Int64
  ) throws(SystemFailure) -> FileDescriptor {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let name = "\(folder)/packhouse-\(hexadecimal(try secureRandomBytes(8)))\(AtomicFile.temporarySuffix)"
    let file = try FileDescriptor.open(name, O_RDWR | O_CREAT | O_EXCL)
    unlink(name)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { buffer.deallocate() }
    var length: Int64 = 0
    while true {
      let count = Glibc.read(pipe.raw, buffer.baseAddress, buffer.count)
      if count == 0 { return file }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw SystemFailure("read", path)
      }
      guard length + Int64(count) <= limit else { throw SystemFailure("read", path, code: EFBIG) }
      try file.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: length, subject: name)
      length += Int64(count)
    }
  }
}
