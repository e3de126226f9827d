import AppleArchive
import CLinux
import Glibc
import JSONText
import Synchronization
import SystemIO

/// The packs on the disk. Every change of what is visible is one replacement of the index, under a lock that all
/// processes of the cache take; a folder that the index does not name does not count, even while a process holds it.
final class PackCache: Sendable {
  let layout: CacheLayout

  private struct Known {
    var status: FileStatus?
    var index = CacheIndex()
    /// Folders by path, as they were found.
    var places: [String: String] = [:]
  }
  private let known = Mutex(Known())
  /// Folders that were whole when this process looked.
  let whole = Mutex(Set<String>())
  static let indexLimit = 256 << 20

  /// Makes what is missing, and clears away what an earlier process left.
  init(_ folder: String) throws(ManagedBackgroundAssetsError) {
    var root = Substring(folder)
    while root.utf8.count > 1, root.hasSuffix("/") { root.removeLast() }
    layout = CacheLayout(root: String(root))
    do throws(SystemFailure) {
      for path in layout.folders { try Folder.create(path, mode: 0o755) }
    } catch { throw ManagedBackgroundAssetsError(error) }
    sweep()
  }

  /// What is here now. Cheap when nothing has changed since the last call.
  func index() throws(ManagedBackgroundAssetsError) -> CacheIndex {
    do throws(SystemFailure) {
      if let index = try read(FileStatus.of(layout.index)) { return index }
    } catch { throw ManagedBackgroundAssetsError(error) }
    // Missing or damaged: every folder tells what it holds.
    return try change { index throws(ManagedBackgroundAssetsError) in index }
  }

  /// The index as it is on the disk, which has that status; nil when it is missing or damaged.
  private func read(_ status: FileStatus?) throws(SystemFailure) -> CacheIndex? {
    guard let status else { return nil }
    if let index = known.withLock({ $0.status == status ? $0.index : nil }) { return index }
    guard let index = CacheIndex(try readFile(layout.index, limit: Self.indexLimit)) else { return nil }
    known.withLock { $0 = Known(status: status, index: index) }
    return index
  }

  /// Changes the index: reads it, lets `body` change it, puts it back. When `body` throws, nothing has changed.
  @discardableResult
  func change<Value>(
    _ body: (inout CacheIndex) throws(ManagedBackgroundAssetsError) -> Value
  ) throws(ManagedBackgroundAssetsError) -> Value {
    let lock: FileLock
    var index: CacheIndex
    var isDamaged = false
    do throws(SystemFailure) {
      lock = try FileLock.take(layout.lock, .exclusive)
      if let found = try read(try FileStatus.of(layout.index)) {
        index = found
      } else {
        index = rebuilt()
        isDamaged = true
      }
    } catch { throw ManagedBackgroundAssetsError(error) }
    let before = index
    let value = try body(&index)
    if index != before || isDamaged {
      try onDisk(try AtomicFile.write(index.bytes, to: layout.index))
    }
    withExtendedLifetime(lock) {}
    return value
  }

  /// The index from the records in the folders; the newest version of each pack.
  private func rebuilt() -> CacheIndex {
    var index = CacheIndex()
    for name in (try? Folder.names(layout.packs)) ?? [] {
      guard let bytes = try? readFile("\(layout.pack(name))/\(CacheLayout.recordName)", limit: 1 << 20),
        let record = (try? JSONParser.parse(bytes))?.root, let pack = LocalPack(record), pack.folder == name,
        (try? FileStatus.of(layout.files(name)))?.isFolder == true
      else { continue }
      if let other = index.packs[pack.id], other.version >= pack.version { continue }
      index.put(pack)
    }
    return index
  }

  /// The pack, when it is here with its folder.
  func local(_ id: String) throws(ManagedBackgroundAssetsError) -> LocalPack? {
    guard let pack = try index().packs[id], access(layout.files(pack.folder), F_OK) == 0 else { return nil }
    return pack
  }

  /// Notes that the pack was used now, for the order of purging. The file system's own clock is too coarse for that.
  func touch(_ pack: LocalPack) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let times = [time, time]
    _ = utimensat(AT_FDCWD, layout.useLock(pack.folder), times, 0)
  }

  /// When the pack was used last: nanoseconds since 1970; 0 when unknown.
  func lastUse(_ pack: LocalPack) -> Int64 {
    guard let status = try? FileStatus.of(layout.useLock(pack.folder)) else { return 0 }
    return status.modified.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ status.modifiedNanoseconds
  }

  /// Holds the pack's folder: it stays on the disk as long as the value lives, even if the pack is removed.
  func hold(_ id: String) throws(ManagedBackgroundAssetsError) -> (pack: LocalPack, lock: FileLock)? {
    try change { index throws(ManagedBackgroundAssetsError) in
      guard let pack = index.packs[id], access(self.layout.files(pack.folder), F_OK) == 0 else { return nil }
      // A process that holds it alone has the cache's lock too, so this never fails for long.
      guard let lock = try onDisk(try FileLock.tryTake(self.layout.useLock(pack.folder), .shared)) else { return nil }
      self.touch(pack)
      return (pack, lock)
    }
  }

  // MARK: Files

  /// Where the file at `path` is, and in which pack. Throws `.fileNotFound` also for paths that leave the packs.
  func place(
    of path: String, in id: String? = nil
  ) throws(ManagedBackgroundAssetsError) -> (file: String, pack: LocalPack) {
    guard (try? ArchivePath(path)) != nil, !path.isEmpty else { throw .fileNotFound(at: path) }
    let index = try index()
    if let id {
      guard let pack = index.packs[id] else { throw .assetPackNotFound(withID: id) }
      let file = "\(layout.files(pack.folder))/\(path)"
      guard access(file, F_OK) == 0 else { throw .fileNotFound(at: path) }
      return (file, pack)
    }
    if let id = known.withLock({ $0.places[path] }), let pack = index.packs[id] {
      let file = "\(layout.files(pack.folder))/\(path)"
      if access(file, F_OK) == 0 { return (file, pack) }
    }
    for pack in index.sorted {
      let file = "\(layout.files(pack.folder))/\(path)"
      guard access(file, F_OK) == 0 else { continue }
      known.withLock { if $0.places.count < 100_000 { $0.places[path] = pack.id } }
      return (file, pack)
    }
    throw .fileNotFound(at: path)
  }
}
