import AppleArchive
import AssetPacks
import CLinux
import Glibc
import SystemIO

/// Writes entries below one folder while the archive passes by. Every component of a path is opened by itself and never
/// through a link, and every file is made new, so nothing outside the folder is touched even if the folder's content is
/// changed by another process meanwhile.
struct ExtractingVisitor: ArchiveVisitor, ~Copyable {
  private(set) var result = PackExtraction.Result()
  /// Why the visitor stopped, when it did.
  private(set) var failure: PackingFailure?

  private let options: PackExtraction
  private let root: FileDescriptor
  private let archive: String
  private var current: OpenFile?
  /// The folder that the last entry went to; archives list a folder's files in a row.
  private var folder: (path: String, descriptor: OwnedDescriptor)?

  init(_ options: PackExtraction, _ root: String, archive: String) throws(SystemFailure) {
    self.options = options
    self.archive = archive
    self.root = try FileDescriptor.open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  mutating func container(_ container: ArchiveContainer) {}

  mutating func entry(_ entry: ArchiveEntry) throws(ArchiveFailure) {
    current = nil
    guard let path = outputPath(entry.path.text) else { return }
    do throws(PackingFailure) {
      switch entry.type {
      case .directory:
        do throws(SystemFailure) { _ = try open(folder: path) } catch { throw .system(error) }
      case .file: try create(file: path, entry)
      case .link: try create(link: path, entry)
      }
    } catch { try stop(error) }
  }

  mutating func fileBytes(_ bytes: UnsafeRawBufferPointer) throws(ArchiveFailure) {
    guard let file = current else { return }
    do throws(SystemFailure) { try file.append(bytes) } catch { try stop(.system(error)) }
    result.bytes += Int64(bytes.count)
  }

  mutating func fileEnd() throws(ArchiveFailure) {
    guard let file = current else { return }
    file.setTime()
    current = nil
    result.files += 1
  }

  /// Where an entry goes; nil when it is left out. Empty for the root.
  private func outputPath(_ path: String) -> String? {
    guard options.contentsOnly else { return path }
    return path.path(below: PackLayout.contents)
  }

  private mutating func create(file path: String, _ entry: ArchiveEntry) throws(PackingFailure) {
    let isExecutable = (entry.mode ?? 0) & 0o100 != 0
    do throws(SystemFailure) {
      let (parent, name) = try parent(of: path)
      let raw = packhouse_openat(
        parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isExecutable ? 0o755 : 0o644)
      guard raw >= 0 else { throw SystemFailure("open", path) }
      current = OpenFile(FileDescriptor(owning: raw), path, entry.modified)
    } catch { throw .system(error) }
  }

  private mutating func create(link path: String, _ entry: ArchiveEntry) throws(PackingFailure) {
    guard let target = entry.linkTarget else { return }
    func refusal(_ reason: String) -> PackingFailure {
      .link(file: archive, path: entry.path.escaped, target: target.escaped, reason: reason)
    }
    guard options.allowsLinks else { throw refusal("a pack holds files and folders only; --links makes it") }
    // The reader has checked it from the archive's root; without Contents/ in front the root is one step nearer.
    let depth = path.utf8.count { $0 == UInt8(ascii: "/") }
    let climbs = target.text.pathParts.filter { !$0.isEmpty }.prefix { $0 == ".." || $0 == "." }.count { $0 == ".." }
    guard climbs <= depth else { throw refusal("it leads out of the folder when Contents/ is left away") }
    do throws(SystemFailure) {
      let (parent, name) = try parent(of: path)
      guard symlinkat(target.text, parent, name) == 0 else { throw SystemFailure("symlink", path) }
    } catch { throw .system(error) }
    result.links += 1
  }

  /// The descriptor of the folder that `path` lies in, which is made when it is missing, and the last component.
  private mutating func parent(of path: String) throws(SystemFailure) -> (folder: Int32, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (root.raw, path) }
    return (try open(folder: String(path[..<slash])), String(path[path.utf8.index(after: slash)...]))
  }

  private mutating func open(folder path: String) throws(SystemFailure) -> Int32 {
    if path.isEmpty { return root.raw }
    // By bytes: strings that only look the same are different folders.
    if let folder, folder.path.utf8.elementsEqual(path.utf8) { return folder.descriptor.raw }
    var last: OwnedDescriptor?
    for component in path.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(Substring(component))
      let parent = last?.raw ?? root.raw
      if mkdirat(parent, name, 0o755) != 0, errno != EEXIST { throw SystemFailure("mkdir", path) }
      let raw = packhouse_openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
      guard raw >= 0 else { throw SystemFailure("open", path) }
      last = OwnedDescriptor(FileDescriptor(owning: raw))
    }
    guard let last else { return root.raw }
    folder = (path, last)
    return last.raw
  }

  private mutating func stop(_ failure: PackingFailure) throws(ArchiveFailure) {
    self.failure = failure
    throw .source(failure.sentence)
  }
}

/// A descriptor that several places hold.
private final class OwnedDescriptor {
  private let descriptor: FileDescriptor
  var raw: Int32 { descriptor.raw }

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

/// A file that is being written.
private final class OpenFile {
  private let descriptor: FileDescriptor
  private let path: String
  private let modified: ArchiveTime?
  private var length: Int64 = 0

  init(_ descriptor: consuming FileDescriptor, _ path: String, _ modified: ArchiveTime?) {
    self.descriptor = descriptor
    self.path = path
    self.modified = modified
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try descriptor.writeAll(bytes, at: length, subject: path)
    length += Int64(bytes.count)
  }

  /// Gives the file the time of its entry; one that the file system cannot keep is left out.
  func setTime() {
    guard let modified, let seconds = Int(exactly: modified.seconds) else { return }
    let time = timespec(tv_sec: seconds, tv_nsec: Int(modified.nanoseconds))
    _ = futimens(descriptor.raw, [time, time])
  }
}
