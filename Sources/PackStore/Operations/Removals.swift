import AssetPacks

/// Which packs may disappear from a manifest. Devices delete a pack that a valid manifest does not list.
enum Removals: Equatable {
  /// Those that a person named.
  case confirmed(Set<String>)
  /// Any, because a version says itself which platforms it is for and nobody is there to ask: the internal track.
  /// A manifest that would have no pack left stays as it is.
  case automatic

  /// The guards against manifests that would make devices delete packs or ignore them.
  ///
  /// - Throws: `manifestWouldBeEmpty`, `manifestWouldShrink`, `versionWouldFall`.
  func check(
    _ entries: [ManifestEntry], replacing listed: [ManifestEntry], track: Track, scope: ManifestScope
  ) throws(StoreFailure) {
    if entries.isEmpty { throw .manifestWouldBeEmpty(track: track, platform: scope.name) }
    if case .confirmed(let names) = self {
      let lost = Set(listed.map(\.identifier)).subtracting(entries.map(\.identifier)).subtracting(names)
      guard lost.isEmpty else {
        throw .manifestWouldShrink(track: track, platform: scope.name, packs: lost.sorted())
      }
    }
    let numbers = Dictionary(listed.map { ($0.identifier, $0.number) }, uniquingKeysWith: { max($0, $1) })
    for entry in entries {
      if let live = numbers[entry.identifier], live > entry.number {
        throw .versionWouldFall(pack: entry.identifier, track: track, live: live, requested: entry.number)
      }
    }
  }
}
