import AssetPacks
import Digests

extension PackStore {
  /// Makes the manifests of a track's lanes and of its rollout from what is live on it, inside the transaction of
  /// `change`. There are at most ``laneLimit`` lanes and one rollout, so at most two manifests for each of them.
  func publishVariants(
    _ change: Change, app: AppRecord, track: Track, live: [ManifestEntry], removals: Removals,
    _ renderer: inout ManifestRenderer
  ) throws(StoreFailure) {
    let connection = change.connection
    let lanes = try connection.lanes(app: app.id, track: track)
    let rollout = try connection.runningRollout(app: app.id, track: track)
    var published = try connection.variantHeads(app: app.id, track: track)
    if lanes.isEmpty, rollout == nil, published.isEmpty { return }
    let composition = try VariantComposition(connection, track: track, live: live, lanes: lanes, rollout: rollout)
    for lane in [nil] + lanes.map({ Optional($0.name) }) {
      let isNew = !published.keys.contains { $0.variant.lane == lane }
      for scope in ManifestScope.allScopes {
        let current = composition.entries(lane: lane, side: .current).filter { $0.isFor(scope) }
        if lane != nil {
          let key = VariantKey(variant: ManifestVariant(lane: lane, side: .current), scope: scope)
          let known = published.removeValue(forKey: key)
          // A lane that is made keeps what the track has; its numbers may be lower, which is what it is made for.
          let track = isNew ? live.filter { $0.isFor(scope) }.map { ($0.identifier, 0) } : []
          let floor = known?.listing ?? Dictionary(track, uniquingKeysWith: { $1 })
          try publishVariant(change, app, composition.track, key, current, over: known, floor, removals, &renderer)
        }
        if rollout == nil { continue }
        let new = composition.entries(lane: lane, side: .new).filter { $0.isFor(scope) }
        // Those whom the rollout has reached get the same as all others: one manifest does.
        if new.numbers == current.numbers { continue }
        let key = VariantKey(variant: ManifestVariant(lane: lane, side: .new), scope: scope)
        let known = published.removeValue(forKey: key)
        let floor = known?.listing ?? current.numbers
        try publishVariant(change, app, track, key, new, over: known, floor, removals, &renderer)
      }
    }
    // What is left belongs to a rollout that has ended, or tells the same as the manifest for all others.
    for key in published.keys { try connection.removeVariant(key, app: app.id, track: track) }
  }

  private func publishVariant(
    _ change: Change, _ app: AppRecord, _ track: Track, _ key: VariantKey, _ entries: [ManifestEntry],
    over known: ManifestHead?, _ floor: [String: Int], _ removals: Removals, _ renderer: inout ManifestRenderer
  ) throws(StoreFailure) {
    var entries = entries
    if case .keeping(let named) = removals, let known {
      let present = Set(entries.map(\.identifier)).union(named)
      for (pack, number) in known.listing.sorted(by: { $0.key < $1.key }) where !present.contains(pack) {
        entries += try change.connection.entries(app: app.id, track: track, pack: pack, number: number)
      }
    }
    let numbers = entries.numbers
    if entries.isEmpty {
      // A platform that has no pack gets no manifest. One that has had some becomes empty only with the archive, where
      // the last pack was named, or somebody is told.
      if floor.isEmpty { return }
      guard case .keeping = removals else {
        throw .manifestWouldBeEmpty(track: track, platform: key.scope.name + key.variant.suffix)
      }
      if known == nil { return }
    }
    try removals.check(numbers, over: floor, track: track, place: key.scope.name + key.variant.suffix)
    if let known, known.listing == numbers, known.baseURL == baseURL.text { return }
    let bytes = try renderer.render(entries)
    let record = ManifestRecord(
      track: track, scope: key.scope, generation: (known?.generation ?? 0) + 1, bytes: bytes,
      sha256: Digest.sha256Text(bytes), published: change.now, variant: key.variant)
    try change.connection.storeVariant(record, app: app.id, baseURL: baseURL.text, entries: entries)
    try change.audit(
      "manifest.publish", app: app.id, subject: "\(track.rawValue) \(key.scope.name)\(key.variant.suffix)",
      before: known.map { "\($0.generation) \($0.sha256)" }, after: "\(record.generation) \(record.sha256)")
  }
}

/// What each variant of a track's manifest lists.
struct VariantComposition {
  let track: Track
  private var lists: [ManifestVariant: [ManifestEntry]] = [:]

  init(
    _ connection: CatalogConnection, track: Track, live: [ManifestEntry], lanes: [LaneRow], rollout: RolloutRecord?
  ) throws(StoreFailure) {
    self.track = track
    var replaced: [String: ManifestEntry] = [:]
    if let rollout {
      let listed = Set(live.map(\.identifier))
      for entry in try connection.entries(versionsOfRollout: rollout.id, track: track)
      where listed.contains(entry.identifier) { replaced[entry.identifier] = entry }
    }
    lists[.base] = live
    lists[ManifestVariant(lane: nil, side: .new)] = live.map { replaced[$0.identifier] ?? $0 }
    for lane in lanes {
      let pins = try connection.entries(pinsOfLane: lane.id, track: track)
      let pinned = Dictionary(pins.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      let alone = pins.filter { pin in !live.contains { $0.identifier == pin.identifier } }
      for side in ManifestVariant.Side.allCases {
        let track = side == .new ? replaced : [:]
        let entries = live.map { pinned[$0.identifier] ?? track[$0.identifier] ?? $0 } + alone
        lists[ManifestVariant(lane: lane.name, side: side)] = entries.sorted { $0.identifier < $1.identifier }
      }
    }
  }

  func entries(lane: String?, side: ManifestVariant.Side) -> [ManifestEntry] {
    lists[ManifestVariant(lane: lane, side: side)] ?? []
  }
}
