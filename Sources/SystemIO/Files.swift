import CLinux
import Glibc

/// The whole of the file at `path`.
///
/// - Parameter limit: the largest length in bytes that is accepted; a longer file throws `EFBIG`, so that a
///   wrong path cannot fill the memory.
package func readFile(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
  let file = try FileDescriptor.open(path, O_RDONLY)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 65536))
  while true {
    var failure: SystemFailure?
    let count = chunk.withUnsafeMutableBytes { buffer in
      do throws(SystemFailure) {
        return try file.readAll(into: buffer, at: Int64(bytes.count), subject: path)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    if bytes.count + count > limit { throw SystemFailure("read", path, code: EFBIG) }
    bytes += chunk[..<count]
    if count < chunk.count { return bytes }
  }
}

/// Renames a file, never over another one.
///
/// The caller makes it durable with ``Folder/synchronize(_:)`` on both folders.
/// - Returns: false when `destination` is there already; `source` is untouched then.
package func moveFile(_ source: String, toNew destination: String) throws(SystemFailure) -> Bool {
  if packhouse_rename_noreplace(AT_FDCWD, source, AT_FDCWD, destination) == 0 { return true }
  var failure = SystemFailure("rename", source)
  if failure.code == EEXIST { return false }
  // Some file systems (NFS, older FUSE) have no such flag: a hard link is refused over an existing name too.
  guard failure.code == EINVAL || failure.code == ENOSYS else { throw failure }
  if link(source, destination) != 0 {
    failure = SystemFailure("link", source)
    if failure.code == EEXIST { return false }
    throw failure
  }
  if unlink(source) != 0 { throw SystemFailure("unlink", source) }
  return true
}

/// Removes the file at `path`.
///
/// - Returns: false when there was none.
@discardableResult
package func removeFile(_ path: String) throws(SystemFailure) -> Bool {
  if unlink(path) == 0 { return true }
  let failure = SystemFailure("unlink", path)
  if failure.code == ENOENT { return false }
  throw failure
}

/// Whether `path` itself is a symbolic link; false when nothing is there.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}
