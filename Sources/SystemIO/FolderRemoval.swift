import CLinux
import Glibc

extension Folder {
  /// Removes a folder of our own with all below it; links are removed, never followed. What cannot be removed stays.
  package static func removeTree(_ root: String) {
    var folders = [root]
    var emptied: [String] = []
    while let folder = folders.popLast() {
      emptied.append(folder)
      for name in (try? Folder.names(folder)) ?? [] {
        let path = "\(folder)/\(name)"
        if unlink(path) != 0, errno == EISDIR || errno == EPERM { folders.append(path) }
      }
    }
    for folder in emptied.reversed() { rmdir(folder) }
  }

  /// Makes all that was written to the file system of `path` durable: syncfs(2).
  package static func synchronizeFileSystem(_ path: String) throws(SystemFailure) {
    let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
    if packhouse_syncfs(folder.raw) != 0 { throw SystemFailure("syncfs", path) }
  }
}
