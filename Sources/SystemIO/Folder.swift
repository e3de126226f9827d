import CLinux
import Glibc

/// Folders by path.
package enum Folder {
  /// Creates `path` and what is missing above it, each with `mode` (less the umask), and makes the new
  /// entries durable. A folder that is there already is left as it is.
  package static func create(_ path: String, mode: mode_t = 0o750) throws(SystemFailure) {
    if let status = try FileStatus.of(path) {
      if status.isFolder { return }
      throw SystemFailure("mkdir", path, code: ENOTDIR)
    }
    let above = parent(of: path)
    if above != path { try create(above, mode: mode) }
    if mkdir(path, mode) != 0 {
      let failure = SystemFailure("mkdir", path)
      // Another thread may have made it between the look and the call.
      if failure.code != EEXIST { throw failure }
    }
    try synchronize(above)
  }

  /// Makes the names in the folder durable: created, renamed and removed entries survive a loss of power.
  package static func synchronize(_ path: String) throws(SystemFailure) {
    let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
    try folder.synchronize(subject: path)
  }

  /// The names in the folder, without `.` and `..`, sorted. Names that are not UTF-8 are repaired, so they
  /// may not open again.
  package static func names(_ path: String) throws(SystemFailure) -> [String] {
    guard let stream = opendir(path) else { throw SystemFailure("opendir", path) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let code = errno
        if code != 0 { throw SystemFailure("readdir", path, code: code) }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// The folder that `path` stands in: `/a` for `/a/b`, `.` for `b`, `/` for `/`.
  package static func parent(of path: String) -> String {
    var trimmed = Substring(path)
    // By bytes: a slash and a combining mark after it are one `Character`.
    while trimmed.utf8.count > 1, trimmed.utf8.last == UInt8(ascii: "/") { trimmed.unicodeScalars.removeLast() }
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }
}

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
