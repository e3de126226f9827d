import AppleArchive
import CLinux
import Glibc
import SystemIO
import Values

/// Writes the content of an archive into a new folder: whole, or not at all.
package struct PackExtraction: Sendable {
  /// What was written.
  package struct Result: Sendable, Equatable {
    package var files = 0
    package var links = 0
    /// Bytes of all files.
    package var bytes: Int64 = 0
  }

  /// Only what lies below `Contents/`, without that prefix: the files as apps see them.
  package var contentsOnly = false
  /// Makes symbolic links that stay inside, instead of refusing the archive.
  package var allowsLinks = false
  package var limits = ArchiveLimits()

  package init() {}

  /// Extracts `file` into the folder `output`, which must not be there or be empty. The files are written into a folder
  /// beside it, which gets the name at the end; when it throws, that folder is gone.
  package func extract(_ file: ArchiveFile, into output: String) throws(PackingFailure) -> Result {
    let target = try Self.target(output)
    let unfinished: UnfinishedFolder
    do throws(SystemFailure) { unfinished = try UnfinishedFolder.make(for: target) } catch { throw .system(error) }
    do throws(PackingFailure) {
      let result = try write(file, into: unfinished.path)
      // Over an empty folder too; anything else that came meanwhile makes it fail.
      guard rename(unfinished.path, target) == 0 else { throw .system(SystemFailure("rename", target)) }
      return result
    } catch {
      Folder.removeTree(unfinished.path)
      throw error
    }
  }

  private func write(_ file: ArchiveFile, into folder: String) throws(PackingFailure) -> Result {
    var visitor: ExtractingVisitor
    do throws(SystemFailure) { visitor = try ExtractingVisitor(self, folder, archive: file.path) } catch {
      throw .system(error)
    }
    do throws(ArchiveFailure) {
      var reader = try ArchiveReader(ArchiveFileSource(file), limits: limits)
      try reader.read(&visitor)
    } catch {
      throw visitor.failure ?? .archive(file: file.path, error)
    }
    guard !contentsOnly || visitor.result.files > 0 else { throw .noContents(file: file.path) }
    return visitor.result
  }

  /// The folder's path without slashes at its end, links resolved when it is there.
  private static func target(_ output: String) throws(PackingFailure) -> String {
    var path = Substring(output)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
    let text = String(path)
    let status: FileStatus?
    let isEmpty: Bool
    do throws(SystemFailure) {
      status = try FileStatus.of(text)
      isEmpty = status?.isFolder == true ? try Folder.names(text).isEmpty : false
    } catch { throw .system(error) }
    guard status != nil else {
      // A link that leads nowhere is there, and must not be replaced.
      guard !isSymbolicLink(text) else { throw .folderInUse(text) }
      return text
    }
    guard isEmpty, let resolved = realPath(text) else { throw .folderInUse(text) }
    guard resolved != realPath("."), resolved != "/" else { throw .workingFolder(text) }
    return resolved
  }
}

/// The absolute path without links, `.` and `..`; nil when nothing is there.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The folder that an archive is extracted into before it gets its name. It is locked as long as a process works on
/// it, so that a folder left by a kill can be told from it.
struct UnfinishedFolder: ~Copyable {
  /// Beside the folder that it will be.
  let path: String
  private let lock: FileDescriptor

  private init(_ path: String, _ lock: consuming FileDescriptor) {
    self.path = path
    self.lock = lock
  }

  /// Removes what killed ones left, and makes the folder for `target`.
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
  /// More time than any process needs between making a folder and locking it.
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
