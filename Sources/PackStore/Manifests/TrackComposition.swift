import AssetPacks

/// What each manifest of a track lists: the track's own, those of its lanes, and those for the clients that its rollout
/// has reached.
struct TrackComposition {
  /// By identifier.
  let live: [ManifestEntry]
  /// Nil for the track itself, which comes first.
  let lanes: [String?]
  let hasRollout: Bool
  private var lists: [ManifestVariant: [ManifestEntry]] = [:]

  init(_ connection: CatalogConnection, app: String, track: Track) throws(StoreFailure) {
    live = try connection.liveEntries(app: app, track: track)
    let rows = try connection.lanes(app: app, track: track)
    let rollout = try connection.runningRollout(app: app, track: track)
    lanes = [nil] + rows.map(\.name)
    hasRollout = rollout != nil
    var staged: [String: ManifestEntry] = [:]
    if let rollout {
      let listed = Set(live.map(\.identifier))
      for entry in try connection.entries(versionsOfRollout: rollout.id, track: track)
      where listed.contains(entry.identifier) { staged[entry.identifier] = entry }
    }
    lists[.base] = live
    lists[ManifestVariant(lane: nil, side: .new)] = live.map { staged[$0.identifier] ?? $0 }
    for lane in rows {
      let pins = try connection.entries(pinsOfLane: lane.id, track: track)
      let pinned = Dictionary(pins.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      let alone = pins.filter { pin in !live.contains { $0.identifier == pin.identifier } }
      for side in ManifestVariant.Side.allCases {
        let staged = side == .new ? staged : [:]
        let entries = live.map { pinned[$0.identifier] ?? staged[$0.identifier] ?? $0 } + alone
        lists[ManifestVariant(lane: lane.name, side: side)] = entries.sorted { $0.identifier < $1.identifier }
      }
    }
  }

  func entries(_ key: ManifestKey) -> [ManifestEntry] { lists[key.variant, default: []].filter { $0.isFor(key.scope) } }
}
