import Glibc
import SystemIO

/// A new file that is written from front to back.
final class OutputFile {
  private let path: String
  private let descriptor: FileDescriptor
  private var length: Int64 = 0

  /// Makes the file; replaces a left-over of the same name.
  init(_ path: String) throws(PackingFailure) {
    self.path = path
    do throws(SystemFailure) {
      descriptor = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    } catch {
      throw .system(error)
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try descriptor.writeAll(bytes, at: length, subject: path)
    length += Int64(bytes.count)
  }

  /// Waits until the bytes are on the disk; the length in bytes.
  func finish() throws(SystemFailure) -> Int64 {
    try descriptor.synchronize(subject: path)
    return length
  }
}
