import CLinux
import Glibc
import SystemIO
import Values

/// The folder that an archive is extracted into before it gets its name. It is locked as long as somebody works on it,
/// so that what a kill left behind is known from it.
struct UnfinishedFolder: ~Copyable {
  /// Beside the folder that it will be.
  let path: String
  private let lock: FileDescriptor

  private init(_ path: String, _ lock: consuming FileDescriptor) {
    self.path = path
    self.lock = lock
  }

  /// Removes what earlier ones left behind, and makes the folder for `target`.
  static func make(for target: String) throws(SystemFailure) -> UnfinishedFolder {
    removeAbandoned(target)
    let path = "\(target).\(hexadecimal(try secureRandomBytes(randomBytes)))\(AtomicFile.temporarySuffix)"
    guard mkdir(path, 0o755) == 0 else { throw SystemFailure("mkdir", path) }
    let lock = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    // Not every file system has locks; its left-overs then stay.
    flock(lock.raw, LOCK_EX | LOCK_NB)
    return UnfinishedFolder(path, lock)
  }

  private static let randomBytes = 8
  /// The time that nobody needs between making a folder and locking it.
  private static let youngSeconds = 10

  private static func removeAbandoned(_ target: String) {
    let folder = Folder.parent(of: target)
    let front =
      Array((target.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "").utf8) + [0x2E]
    let back = Array(AtomicFile.temporarySuffix.utf8)
    for name in (try? Folder.names(folder)) ?? [] {
      let middle = name.utf8.dropFirst(front.count).dropLast(back.count)
      guard name.utf8.starts(with: front), name.hasSuffix(AtomicFile.temporarySuffix), middle.count == 2 * randomBytes,
        bytes(hexadecimal: String(Substring(middle))) != nil
      else { continue }
      let path = "\(folder)/\(name)"
      guard let status = try? FileStatus.of(path), status.isFolder,
        time(nil) - Int(status.modified) > youngSeconds,
        let other = try? FileDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
        flock(other.raw, LOCK_EX | LOCK_NB) == 0
      else { continue }
      Folder.removeTree(path)
    }
  }
}
