import CLinux
import Glibc

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
