import CLinux
import Glibc
import SystemIO
import Values

/// A new file that is written from front to back and gets its name when it is whole. Until then it has none where the
/// file system can do that, so that not even a kill leaves a file.
final class OutputFile {
  private let path: String
  private let descriptor: FileDescriptor
  /// The name that it has meanwhile, on file systems without files that have none.
  private var temporary: String?
  private var length: Int64 = 0

  /// Makes the file that will be `path`, in its folder.
  init(_ path: String) throws(PackingFailure) {
    self.path = path
    let unnamed = packhouse_open_unnamed(Folder.parent(of: path), 0o644)
    if unnamed >= 0, access(Self.link(to: unnamed), F_OK) == 0 {
      descriptor = FileDescriptor(owning: unnamed)
      return
    }
    if unnamed >= 0 { close(unnamed) }
    do throws(SystemFailure) {
      let name = try Self.temporaryName(path)
      let raw = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard raw >= 0 else { throw SystemFailure("create", path) }
      descriptor = FileDescriptor(owning: raw)
      temporary = name
    } catch { throw .system(error) }
  }

  deinit { if let temporary { unlink(temporary) } }

  func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try descriptor.writeAll(bytes, at: length, subject: path)
    length += Int64(bytes.count)
  }

  /// Waits until the bytes are on the disk; the length in bytes.
  func finish() throws(SystemFailure) -> Int64 {
    try descriptor.synchronize(subject: path)
    return length
  }

  /// What was written, to be read again.
  func written() throws(SystemFailure) -> ArchiveFile {
    let copy = fcntl(descriptor.raw, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemFailure("dup", path) }
    return try ArchiveFile(FileDescriptor(owning: copy), path: path)
  }

  /// Gives the file its name, instead of what has it only with `overwrites`.
  func publish(overwrites: Bool) throws(PackingFailure) {
    do throws(SystemFailure) {
      if overwrites {
        let name = try nameMeanwhile()
        guard rename(name, path) == 0 else { throw SystemFailure("rename", path) }
        temporary = nil
      } else {
        guard try give(path) else { throw SystemFailure("create", path, code: EEXIST) }
      }
      try Folder.synchronize(Folder.parent(of: path))
    } catch {
      if error.code == EEXIST { throw .outputExists(path) }
      throw .system(error)
    }
  }

  /// The name until the file replaces another, which is a matter of two calls.
  private func nameMeanwhile() throws(SystemFailure) -> String {
    if let temporary { return temporary }
    let name = try Self.temporaryName(path)
    guard try give(name) else { throw SystemFailure("create", name, code: EEXIST) }
    temporary = name
    return name
  }

  /// Gives the file a name that nothing has yet; false when something has it.
  private func give(_ name: String) throws(SystemFailure) -> Bool {
    if let temporary {
      guard try moveFile(temporary, toNew: name) else { return false }
      self.temporary = nil
      return true
    }
    if linkat(AT_FDCWD, Self.link(to: descriptor.raw), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 { return true }
    let failure = SystemFailure("create", path)
    guard failure.code == EEXIST else { throw failure }
    return false
  }

  private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  /// In the same folder, and no longer than a name may be.
  private static func temporaryName(_ path: String) throws(SystemFailure) -> String {
    let folder = Folder.parent(of: path)
    return "\(folder)/.packhouse-\(hexadecimal(try secureRandomBytes(8)))\(AtomicFile.temporarySuffix)"
  }
}
