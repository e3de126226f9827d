import CLinux
import Glibc
import SystemIO

extension PackCache {
  /// Takes packs out of `index` until `incoming` fits into `budget`. Called with the cache's lock.
  ///
  /// - Returns: false when it does not fit; `index` is unchanged then.
  func makeRoom(for incoming: LocalPack, budget: Int64, _ index: inout CacheIndex) -> Bool {
    guard incoming.installSize <= budget else { return false }
    var left = index
    // The version that it replaces goes anyway.
    left.remove(incoming.id)
    var used = left.packs.values.reduce(Int64(0)) { $0.addingReportingOverflow($1.installSize).partialValue }
    for id in PurgePlan(candidates(left)).order {
      if used <= budget - incoming.installSize { break }
      guard let pack = left.packs[id], !isHeld(pack) else { continue }
      left.remove(id)
      used -= pack.installSize
    }
    guard used <= budget - incoming.installSize else { return false }
    index = left
    return true
  }

  /// Takes packs out, in the order of purging, until the file system has `bytes` free.
  /// - Returns: whether it has. Also true when it does not say how much is free.
  func makeFree(_ bytes: Int64, mayPurge: Bool) throws(ManagedBackgroundAssetsError) -> Bool {
    while let free = freeBytes, free < bytes {
      guard mayPurge else { return false }
      let removed = try change { index throws(ManagedBackgroundAssetsError) -> String? in
        let order = PurgePlan(candidates(index)).order.filter { id in index.packs[id].map { !isHeld($0) } ?? false }
        // Nothing goes for a download that would not fit even then.
        let most = order.reduce(free) { $0.addingReportingOverflow(index.packs[$1]?.installSize ?? 0).partialValue }
        guard most >= bytes, let id = order.first else { return nil }
        index.remove(id)
        return id
      }
      guard removed != nil else { return false }
      sweep()
    }
    return true
  }

  /// Bytes that this user may still write; nil when the file system does not say.
  private var freeBytes: Int64? {
    var status = statvfs()
    guard statvfs(layout.root, &status) == 0, status.f_blocks > 0 else { return nil }
    return Int64(clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
  }

  private func candidates(_ index: CacheIndex) -> [PurgePlan.Candidate] {
    index.packs.values.filter { !$0.isEssential }.map { pack in
      PurgePlan.Candidate(
        id: pack.id, size: pack.installSize, priority: index.preservationPriority(of: pack), lastUse: lastUse(pack))
    }
  }

  /// Whether a process, this one included, has said that it uses the pack.
  private func isHeld(_ pack: LocalPack) -> Bool {
    guard access(layout.files(pack.folder), F_OK) == 0 else { return false }
    let attempt = try? FileLock.tryTake(layout.useLock(pack.folder), .exclusive)
    return attempt.flatMap { $0 } == nil
  }
}
