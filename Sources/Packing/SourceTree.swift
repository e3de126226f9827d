import AssetPacks
import Glibc
import SystemIO

/// The files below the root of a manifest's selectors. Paths are relative to the root.
struct SourceTree {
  let root: String

  /// The path for the system.
  func full(_ path: String) -> String {
    if path == "." { return root }
    return root == "." ? path : "\(root)/\(path)"
  }

  /// Whether anything is there.
  func exists(_ path: String, _ place: SelectorPlace) throws(PackingFailure) -> Bool {
    var status = stat()
    guard lstat(full(path), &status) != 0 else { return true }
    let failure = SystemFailure("stat", full(path))
    guard failure.code == ENOENT || failure.code == ENOTDIR else { throw .unreadable(failure, place) }
    return false
  }

  func isFolder(_ path: String) -> Bool { (try? FileStatus.of(full(path)))?.isFolder == true }

  /// Checks that a plain file is there.
  func mustBeFile(_ path: String, _ place: SelectorPlace) throws(PackingFailure) {
    var status = stat()
    guard lstat(full(path), &status) == 0 else { throw .unreadable(SystemFailure("stat", full(path)), place) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .wrongKind(place, path: full(path), expected: "a file")
    default: throw .notPlain(path: full(path), place)
    }
  }

  /// Every plain file below a folder, by name. Folders are left on a list instead of a call stack, whose depth a tree
  /// could choose.
  func files(below start: String, _ place: SelectorPlace?) throws(PackingFailure) -> [String] {
    var found: [String] = []
    var folders = [start]
    while let folder = folders.popLast() {
      for name in try onDisk(for: place, try Folder.names(full(folder))) {
        let path = folder == "." ? name : "\(folder)/\(name)"
        var status = stat()
        guard lstat(full(path), &status) == 0 else {
          let failure = SystemFailure("stat", full(path))
          // Names that are not UTF-8 are repaired, and no file has the repaired name.
          if failure.code == ENOENT, name.unicodeScalars.contains("\u{FFFD}") {
            throw .notUTF8(path: full(path), place)
          }
          throw .unreadable(failure, place)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(path)
        case S_IFREG: found.append(path)
        default: throw .notPlain(path: full(path), place)
        }
      }
    }
    return found
  }
}

/// By which it is noticed that a file changed between two looks.
struct FileStamp: Sendable, Equatable {
  /// Length in bytes.
  let size: Int64
  /// Seconds since 1970.
  let modified: Int64
  private let modifiedNanoseconds: Int64
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec)
    modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Whether both are the same file, changed or not.
  func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
