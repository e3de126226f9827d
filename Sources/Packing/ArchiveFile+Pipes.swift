import Glibc
import SystemIO
import Values

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
