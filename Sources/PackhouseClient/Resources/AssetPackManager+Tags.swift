extension AssetPackManager {
  /// All packs of the tags, each once. Throws `.onDemandResourceInvalidTag`.
  func packs(tagged tags: Set<String>) async throws(ManagedBackgroundAssetsError) -> [AssetPack] {
    var catalog = try await catalog()
    if tags.contains(where: { catalog.packs(tagged: $0).isEmpty }) { catalog = try await manifest() }
    var found: [AssetPack] = []
    var ids: Set<String> = []
    for tag in tags.sorted() {
      let packs = catalog.packs(tagged: tag)
      guard !packs.isEmpty else { throw .onDemandResourceInvalidTag(tag) }
      for pack in packs where ids.insert(pack.id).inserted { found.append(pack) }
    }
    return found
  }

  /// The ids of all packs of the tags; nil when one of them is not here. Asks no server.
  func localIDs(tagged tags: Set<String>) throws(ManagedBackgroundAssetsError) -> [String]? {
    let index = try cache.index()
    let stored = manifests.stored()
    var ids: Set<String> = []
    for tag in tags {
      let wanted: [String]
      if let stored {
        wanted = stored.packs(tagged: tag).map(\.id)
      } else {
        let tagged = index.packs.values.filter { $0.tags.contains(tag) }.map(\.id)
        wanted = tagged.isEmpty ? [tag] : tagged
      }
      guard !wanted.isEmpty, wanted.allSatisfy({ index.packs[$0] != nil }) else { return nil }
      ids.formUnion(wanted)
    }
    return ids.sorted()
  }

  /// How long the packs of a tag stay when room is needed: from 0, the first to go, to 1.
  public nonisolated func preservationPriority(
    forTag tag: String
  ) throws(ManagedBackgroundAssetsError) -> Double {
    let index = try cache.index()
    if let priority = index.tagPriorities[tag] { return priority }
    return index.packs.values.filter { $0.tags.contains(tag) || $0.id == tag }.map(\.preservationPriority).max() ?? 0
  }

  /// Sets it for tags; cut to 0…1. Kept with the cache. A pack with several tags has the highest of their priorities.
  public nonisolated func setPreservationPriority(
    _ priority: Double, forTags tags: Set<String>
  ) throws(ManagedBackgroundAssetsError) {
    let value = LoadingPriority(priority).value
    try cache.change { index throws(ManagedBackgroundAssetsError) in
      for tag in tags { index.tagPriorities[tag] = value }
    }
  }
}
