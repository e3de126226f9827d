import CLinux
import Glibc
import Values

/// Files that are there whole or not at all, also after a loss of power.
package enum AtomicFile {
  /// The end of the names of files that are being written; left-overs may be removed at start.
  package static let temporarySuffix = ".writing"

  /// Puts `bytes` at `path`: a new file beside it, fsync, rename over the old one, fsync of the folder.
  ///
  /// When it throws, the old file is still there, whole.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(SystemFailure) {
    let temporary = "\(path).\(hexadecimal(try secureRandomBytes(8)))\(temporarySuffix)"
    do throws(SystemFailure) {
      try writeNew(bytes, to: temporary, mode: mode)
      if rename(temporary, path) != 0 { throw SystemFailure("rename", path) }
    } catch {
      unlink(temporary)
      throw error
    }
    try Folder.synchronize(Folder.parent(of: path))
  }

  private static func writeNew(_ bytes: [UInt8], to path: String, mode: mode_t) throws(SystemFailure) {
    let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    var failure: SystemFailure?
    bytes.withUnsafeBytes { buffer in
      do throws(SystemFailure) {
        try file.writeAll(buffer, at: 0, subject: path)
      } catch { failure = error }
    }
    if let failure { throw failure }
    try file.synchronize(subject: path)
  }
}
