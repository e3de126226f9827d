import AssetPacks

/// What is known of a published manifest without its bytes.
struct ManifestHead: Sendable {
  let generation: Int
  let sha256: String
  let baseURL: String
  /// The number of each pack.
  let listing: [String: Int]
}

/// Where a variant of a manifest stands.
struct VariantKey: Hashable {
  let variant: ManifestVariant
  let scope: ManifestScope
}

extension CatalogConnection {
  /// The published manifests of a track by scope, those of lanes and rollouts left out.
  func manifestHeads(app: String, track: Track) throws(StoreFailure) -> [ManifestScope: ManifestHead] {
    var listings: [String: [String: Int]] = [:]
    for line in try rows(
      "SELECT platform, identifier, number FROM manifest_entries WHERE app_id = ? AND track = ?", app, track,
      make: { ($0.text(0), $0.text(1), $0.number(2)) })
    { listings[line.0, default: [:]][line.1] = line.2 }
    let heads = try rows(
      "SELECT platform, generation, sha256, base_url FROM manifests WHERE app_id = ? AND track = ?", app, track
    ) { (row) throws(StoreFailure) in
      (
        try scope(row.text(0)),
        ManifestHead(
          generation: row.number(1), sha256: row.text(2), baseURL: row.text(3), listing: listings[row.text(0)] ?? [:])
      )
    }
    return Dictionary(heads, uniquingKeysWith: { $1 })
  }

  /// The manifests of lanes and rollouts of a track. `removed` adds those of lanes that were removed.
  func variantHeads(
    app: String, track: Track, removed: Bool = false
  ) throws(StoreFailure) -> [VariantKey: ManifestHead] {
    let heads = try rows(
      """
      SELECT v.lane, v.side, v.platform, v.generation, v.sha256, v.base_url, v.listing FROM manifest_variants v
      WHERE v.app_id = ?1 AND v.track = ?2 AND (?3 OR NOT \(Self.isOfRemovedLane))
      """, app, track, removed
    ) { (row) throws(StoreFailure) in
      (
        VariantKey(variant: try variant(row.text(0), row.text(1)), scope: try scope(row.text(2))),
        ManifestHead(
          generation: row.number(3), sha256: row.text(4), baseURL: row.text(5), listing: listing(row.text(6)))
      )
    }
    return Dictionary(heads, uniquingKeysWith: { $1 })
  }

  /// The manifests of lanes and rollouts of an app, in a fixed order.
  func variants(app: String) throws(StoreFailure) -> [ManifestRecord] {
    try rows(
      """
      SELECT v.track, v.platform, v.generation, v.bytes, v.sha256, v.published, v.lane, v.side
      FROM manifest_variants v WHERE v.app_id = ? AND NOT \(Self.isOfRemovedLane)
      ORDER BY v.track, v.lane, v.side, v.platform
      """, app
    ) { (row) throws(StoreFailure) in
      ManifestRecord(
        track: try row.value(0), scope: try scope(row.text(1)), generation: row.number(2), bytes: row.bytes(3),
        sha256: row.text(4), published: row.integer(5), variant: try variant(row.text(6), row.text(7)))
    }
  }

  /// Puts a variant in the place of the last one.
  func storeVariant(
    _ manifest: ManifestRecord, app: String, baseURL: String, entries: [ManifestEntry]
  ) throws(StoreFailure) {
    let lines = entries.map { "\($0.identifier) \($0.number)\n" }.joined()
    try run(
      """
      INSERT INTO manifest_variants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (app_id, track, lane, side, platform) DO UPDATE SET generation = excluded.generation,
      bytes = excluded.bytes, sha256 = excluded.sha256, base_url = excluded.base_url, published = excluded.published,
      listing = excluded.listing
      """, app, manifest.track, manifest.variant.lane ?? "", manifest.variant.side, manifest.scope.name,
      manifest.generation, manifest.bytes, manifest.sha256, baseURL, manifest.published, lines)
  }

  func removeVariant(_ key: VariantKey, app: String, track: Track) throws(StoreFailure) {
    try run(
      "DELETE FROM manifest_variants WHERE app_id = ? AND track = ? AND lane = ? AND side = ? AND platform = ?", app,
      track, key.variant.lane ?? "", key.variant.side, key.scope.name)
  }

  private static let isOfRemovedLane =
    "EXISTS (SELECT 1 FROM lanes l WHERE l.app_id = v.app_id AND l.track = v.track AND l.name = v.lane"
    + " AND l.removed IS NOT NULL)"

  private func scope(_ name: String) throws(StoreFailure) -> ManifestScope {
    guard let scope = ManifestScope(name: name) else {
      throw .valueUnknown(column: "manifest_variants.platform", value: name)
    }
    return scope
  }

  private func variant(_ lane: String, _ side: String) throws(StoreFailure) -> ManifestVariant {
    guard let side = ManifestVariant.Side(rawValue: side) else {
      throw .valueUnknown(column: "manifest_variants.side", value: side)
    }
    return ManifestVariant(lane: lane.isEmpty ? nil : lane, side: side)
  }

  /// The lines that ``storeVariant(_:app:baseURL:entries:)`` wrote.
  private func listing(_ text: String) -> [String: Int] {
    var listing: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let pieces = line.split(separator: " ")
      if pieces.count == 2, let number = Int(pieces[1]) { listing[String(pieces[0])] = number }
    }
    return listing
  }
}
