import CLinux
import Glibc
import SystemIO

extension PackCache {
  /// Clears away folders that the index does not name and no process holds: old versions, removed packs, half-unpacked
  /// ones of a process that was killed. What cannot be cleared away now is so the next time.
  func sweep() {
    guard let lock = try? FileLock.take(layout.lock, .exclusive) else { return }
    let bytes = try? readFile(layout.index, limit: Self.indexLimit)
    // Without a good index its folders are all that is left to make a new one from.
    if let index = bytes.flatMap({ CacheIndex($0) }) {
      let named = Set(index.packs.values.map(\.folder))
      for name in (try? Folder.names(layout.packs)) ?? [] where !named.contains(name) {
        discard(layout.pack(name), as: name)
      }
    }
    for name in (try? Folder.names(layout.staging)) ?? [] { discard("\(layout.staging)/\(name)", as: name) }
    for name in (try? Folder.names(layout.root)) ?? [] where name.hasSuffix(AtomicFile.temporarySuffix) {
      // Every file in this folder is written under the lock that is held here.
      unlink("\(layout.root)/\(name)")
    }
    withExtendedLifetime(lock) {}
    emptyTrash()
  }

  /// Moves a folder into the trash, unless a process holds it. The cache's lock must be held.
  private func discard(_ path: String, as name: String) {
    guard let status = try? FileStatus.of(path) else { return }
    guard status.isFolder else {
      unlink(path)
      return
    }
    guard let held = try? FileLock.tryTake("\(path)/\(CacheLayout.useName)", .exclusive) else { return }
    _ = rename(path, "\(layout.trash)/\(name)")
    withExtendedLifetime(held) {}
  }

  /// Deletes what is in the trash; several processes may do so at once.
  func emptyTrash() {
    for name in (try? Folder.names(layout.trash)) ?? [] { Folder.removeTree("\(layout.trash)/\(name)") }
  }

  /// Deletes downloads that no process works on and that are not `wanted` (keys), and notes that were never finished.
  func sweepDownloads(wanted: Set<String>) {
    for name in (try? Folder.names(layout.downloads)) ?? [] {
      let isUnfinished = name.hasSuffix(AtomicFile.temporarySuffix)
      guard isUnfinished || name.hasSuffix(Self.partialSuffix), let key = Self.key(ofDownload: name) else { continue }
      guard isUnfinished || !wanted.contains(key),
        let lock = try? FileLock.tryTake("\(layout.downloads)/\(key).lock", .exclusive)
      else { continue }
      unlink("\(layout.downloads)/\(name)")
      if !isUnfinished { unlink("\(layout.downloads)/\(name).json") }
      withExtendedLifetime(lock) {}
    }
  }

  private static let partialSuffix = ".partial"

  /// What stands before the last `.partial`.
  private static func key(ofDownload name: String) -> String? {
    var rest = Substring(name)
    while !rest.isEmpty {
      if rest.hasSuffix(partialSuffix) { return String(rest.dropLast(partialSuffix.count)) }
      rest.removeLast()
    }
    return nil
  }

  /// Takes packs out of what is visible; their folders go when no process holds them any longer.
  /// - Returns: the ids that were there.
  func remove(_ ids: [String]) throws(ManagedBackgroundAssetsError) -> [String] {
    guard !ids.isEmpty else { return [] }
    let removed = try change { index throws(ManagedBackgroundAssetsError) in ids.filter { index.remove($0) != nil } }
    if !removed.isEmpty { sweep() }
    return removed
  }
}

extension PackCache {
  /// The pack, when it is here with all its files. A pack with deleted or truncated files is downloaded again; bytes
  /// that only changed are not noticed.
  func wholeLocal(_ id: String) throws(ManagedBackgroundAssetsError) -> LocalPack? {
    guard let pack = try local(id) else { return nil }
    return isWhole(pack) ? pack : nil
  }

  /// Whether this process has looked already.
  func isKnownWhole(_ pack: LocalPack) -> Bool { whole.withLock { $0.contains(pack.folder) } }

  /// Whether number and lengths of the files are those that were unpacked. Looks once in the life of a process.
  private func isWhole(_ pack: LocalPack) -> Bool {
    if isKnownWhole(pack) { return true }
    guard let expected = pack.files else { return true }
    var files = 0
    var bytes: Int64 = 0
    var folders = [layout.files(pack.folder)]
    while let folder = folders.popLast() {
      for name in (try? Folder.names(folder)) ?? [] {
        let path = "\(folder)/\(name)"
        guard let status = try? FileStatus.of(path) else { return false }
        if status.isFolder {
          folders.append(path)
        } else {
          files += 1
          bytes = bytes.addingReportingOverflow(status.length).partialValue
        }
      }
    }
    guard files == expected, bytes == pack.installSize else { return false }
    whole.withLock { _ = $0.insert(pack.folder) }
    return true
  }
}
