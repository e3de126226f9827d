import AssetPacks

/// Which packs may disappear from a manifest. Devices delete a pack that a valid manifest does not list.
enum Removals: Equatable {
  /// Those that a person named.
  case confirmed(Set<String>)
  /// Only these; any other pack that would disappear stays in the manifest with its version there.
  case keeping(except: Set<String>)

  /// None, because there is nobody to ask: a complete version goes to the internal track by itself.
  static let automatic = Removals.keeping(except: [])

  /// Whether packs that nobody named stay.
  var keepsOthers: Bool { if case .keeping = self { true } else { false } }

  /// The guards against manifests that would make devices delete packs or ignore them.
  ///
  /// - Parameters:
  ///   - place: the manifest, for the sentence.
  ///   - mayFall: whether numbers may be lower than before.
  /// - Throws: `manifestWouldBeEmpty`, `manifestWouldShrink`, `versionWouldFall`, `bytesWouldChange`.
  func check(
    _ change: ManifestChange, track: Track, place: String, mayFall: Bool = false
  ) throws(StoreFailure) {
    if !keepsOthers, change.becomesEmpty { throw .manifestWouldBeEmpty(track: track, platform: place) }
    var lost: [String] = []
    for fault in change.faults(confirmedRemovals: []) {
      switch fault {
      case .disappears(let id): lost.append(id.text)
      case .versionFalls(let id, let from, let to):
        if mayFall { continue }
        throw .versionWouldFall(pack: id.text, track: track, live: from.value, requested: to.value)
      case .changesWithoutVersion(let id, let version):
        throw .bytesWouldChange(pack: id.text, number: version.value)
      }
    }
    guard case .confirmed(let names) = self else { return }
    lost.removeAll { names.contains($0) }
    if !lost.isEmpty { throw .manifestWouldShrink(track: track, platform: place, packs: lost) }
  }
}
