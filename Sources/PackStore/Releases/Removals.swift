import AssetPacks

/// Which packs may disappear from a manifest. Devices delete a pack that a valid manifest does not list.
enum Removals: Equatable {
  /// Those that a person named.
  case confirmed(Set<String>)
  /// Only these; any other pack that would disappear stays in the manifest with the version that it has there.
  case keeping(except: Set<String>)

  /// None, when nobody is there to ask: a version that is complete goes to the internal track by itself.
  static let automatic = Removals.keeping(except: [])

  /// The guards against manifests that would make devices delete packs or ignore them.
  ///
  /// - Throws: `manifestWouldBeEmpty`, `manifestWouldShrink`, `versionWouldFall`, `bytesWouldChange`.
  func check(_ change: ManifestChange, track: Track, scope: ManifestScope) throws(StoreFailure) {
    if case .confirmed = self, change.becomesEmpty {
      throw .manifestWouldBeEmpty(track: track, platform: scope.name)
    }
    var lost: [String] = []
    for fault in change.faults(confirmedRemovals: []) {
      switch fault {
      case .disappears(let id): lost.append(id.text)
      case .versionFalls(let id, let from, let to):
        throw .versionWouldFall(pack: id.text, track: track, live: from.value, requested: to.value)
      case .changesWithoutVersion(let id, let version):
        throw .bytesWouldChange(pack: id.text, number: version.value)
      }
    }
    guard case .confirmed(let names) = self else { return }
    lost.removeAll { names.contains($0) }
    if !lost.isEmpty { throw .manifestWouldShrink(track: track, platform: scope.name, packs: lost) }
  }

  /// The same for manifests of which only the numbers are known: what is listed now, and what was.
  ///
  /// - Throws: `manifestWouldShrink`, `versionWouldFall`.
  func check(
    _ listing: [String: Int], over floor: [String: Int], track: Track, place: String
  ) throws(StoreFailure) {
    var lost: [String] = []
    for (pack, number) in floor {
      guard let present = listing[pack] else {
        lost.append(pack)
        continue
      }
      if present < number { throw .versionWouldFall(pack: pack, track: track, live: number, requested: present) }
    }
    guard case .confirmed(let names) = self else { return }
    lost.removeAll { names.contains($0) }
    if !lost.isEmpty { throw .manifestWouldShrink(track: track, platform: place, packs: lost.sorted()) }
  }
}
