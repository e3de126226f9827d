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
    let candidates = left.packs.values.filter { !$0.isEssential }.map { pack in
      PurgePlan.Candidate(
        id: pack.id, size: pack.installSize, priority: index.preservationPriority(of: pack), lastUse: lastUse(pack))
    }
    var used = left.packs.values.reduce(Int64(0)) { $0.addingReportingOverflow($1.installSize).partialValue }
    for id in PurgePlan(candidates).order {
      if used <= budget - incoming.installSize { break }
      guard let pack = left.packs[id], !isHeld(pack) else { continue }
      left.remove(id)
      used -= pack.installSize
    }
    guard used <= budget - incoming.installSize else { return false }
    index = left
    return true
  }

  /// Whether a process, this one included, has said that it uses the pack.
  private func isHeld(_ pack: LocalPack) -> Bool {
    let attempt = try? FileLock.tryTake(layout.useLock(pack.folder), .exclusive)
    return attempt.flatMap { $0 } == nil
  }
}
