import CLinux
import Glibc

/// Whether `path` itself is a symbolic link; false when nothing is there.
package func isSymbolicLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}
