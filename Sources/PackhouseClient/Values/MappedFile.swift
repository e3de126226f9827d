import Glibc
import SystemIO

/// A file's bytes, mapped into memory.
///
/// `@unchecked Sendable`: the mapping is private and read-only, and lives as long as the value.
public final class MappedFile: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer?
  /// Bytes.
  public let count: Int

  init(_ file: String, path: String) throws(ManagedBackgroundAssetsError) {
    do throws(SystemFailure) {
      let descriptor = try FileDescriptor.open(file, O_RDONLY)
      var status = stat()
      guard fstat(descriptor.raw, &status) == 0 else { throw SystemFailure("fstat", file) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw SystemFailure("open", file, code: ENOENT) }
      count = Int(status.st_size)
      if count == 0 {
        start = nil
      } else {
        guard let mapping = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor.raw, 0), mapping != MAP_FAILED else {
          throw SystemFailure("mmap", file)
        }
        start = mapping
      }
    } catch {
      if error.code == ENOENT { throw .fileNotFound(at: path) }
      throw ManagedBackgroundAssetsError(error)
    }
  }

  deinit {
    if let start { munmap(start, count) }
  }

  /// Calls `body` with the bytes, which are valid during the call.
  public func withUnsafeBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }
}
