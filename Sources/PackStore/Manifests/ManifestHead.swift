import AssetPacks
import JSONText

/// Which manifest of a track it is.
struct ManifestKey: Hashable {
  let variant: ManifestVariant
  let scope: ManifestScope

  /// For people: `iOS lane 1.x rollout`.
  var text: String { scope.name + variant.suffix }
}

/// A published manifest without its bytes.
struct ManifestHead: Sendable {
  let generation: Int
  let sha256: String
  let baseURL: String
  /// The number of each pack.
  let listing: [String: Int]

  /// Whether a manifest of these entries would have the same bytes.
  func says(_ entries: [ManifestEntry], _ baseURL: PublicBaseURL) -> Bool {
    listing == entries.numbers && self.baseURL == baseURL.text
  }
}

extension CatalogConnection {
  /// The published manifests of a track. Those of removed lanes are left out.
  func manifestHeads(app: String, track: Track) throws(StoreFailure) -> [ManifestKey: ManifestHead] {
    let heads = try rows(
      """
      SELECT lane, side, platform, generation, sha256, base_url, listing FROM served_manifests
      WHERE app_id = ? AND track = ?
      """, app, track
    ) { (row) throws(StoreFailure) in
      (
        try manifestKey(lane: row.text(0), side: row.text(1), platform: row.text(2)),
        ManifestHead(
          generation: row.number(3), sha256: row.text(4), baseURL: row.text(5), listing: try listing(row.text(6)))
      )
    }
    return Dictionary(heads, uniquingKeysWith: { $1 })
  }

  /// The published manifests of an app in a fixed order, those of tracks before those of lanes and rollouts.
  func manifests(app: String) throws(StoreFailure) -> [ManifestRecord] {
    try rows(
      """
      SELECT track, lane, side, platform, generation, bytes, sha256, published FROM served_manifests WHERE app_id = ?
      ORDER BY lane <> '' OR side <> 'current', track, lane, side, platform
      """, app
    ) { (row) throws(StoreFailure) in
      let key = try manifestKey(lane: row.text(1), side: row.text(2), platform: row.text(3))
      return ManifestRecord(
        track: try row.value(0), scope: key.scope, generation: row.number(4), bytes: row.bytes(5),
        sha256: row.text(6), published: row.integer(7), variant: key.variant)
    }
  }

  /// Replaces the manifest under its key.
  func store(
    _ manifest: ManifestRecord, app: String, baseURL: String, listing: [String: Int]
  ) throws(StoreFailure) {
    let listed = JSONObject(listing.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
    try run(
      """
      INSERT INTO manifests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (app_id, track, lane, side, platform) DO UPDATE SET generation = excluded.generation,
      bytes = excluded.bytes, sha256 = excluded.sha256, base_url = excluded.base_url, published = excluded.published,
      listing = excluded.listing
      """, app, manifest.track, manifest.variant.lane ?? "", manifest.variant.side, manifest.scope.name,
      manifest.generation, manifest.bytes, manifest.sha256, baseURL, manifest.published,
      JSONValue.object(listed).text())
  }

  func removeManifest(_ key: ManifestKey, app: String, track: Track) throws(StoreFailure) {
    try run(
      "DELETE FROM manifests WHERE app_id = ? AND track = ? AND lane = ? AND side = ? AND platform = ?", app, track,
      key.variant.lane ?? "", key.variant.side, key.scope.name)
  }

  private func manifestKey(lane: String, side: String, platform: String) throws(StoreFailure) -> ManifestKey {
    guard let scope = ManifestScope(name: platform) else {
      throw .valueUnknown(column: "manifests.platform", value: platform)
    }
    guard let side = ManifestVariant.Side(rawValue: side) else {
      throw .valueUnknown(column: "manifests.side", value: side)
    }
    return ManifestKey(variant: ManifestVariant(lane: lane.isEmpty ? nil : lane, side: side), scope: scope)
  }

  private func listing(_ text: String) throws(StoreFailure) -> [String: Int] {
    guard let packs = try storedJSON(text, column: "manifests.listing").object else {
      throw .valueUnknown(column: "manifests.listing", value: String(text.prefix(80)))
    }
    var listing: [String: Int] = [:]
    for pack in packs.members { listing[pack.key] = pack.value.int }
    return listing
  }
}
