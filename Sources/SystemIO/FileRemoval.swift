import CLinux
import Glibc

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
