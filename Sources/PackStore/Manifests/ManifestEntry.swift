import AssetPacks

/// What a manifest says of one pack.
struct ManifestEntry: Sendable {
  let identifier: String
  let versionID: String
  let number: Int
  /// The state of the release.
  let state: String
  let size: Int64
  let sha256: String
  /// Empty for all.
  let platforms: [Platform]
  let language: String?
  let policy: String
  let userInfo: String?

  func isFor(_ scope: ManifestScope) -> Bool {
    switch scope {
    case .all: true
    case .platform(let platform): platforms.isEmpty || platforms.contains(platform)
    }
  }
}

extension CatalogConnection {
  /// What is live on a track of an app, by identifier.
  func liveEntries(app: String, track: Track) throws(StoreFailure) -> [ManifestEntry] {
    try entries(
      "p.app_id = ?1 AND p.archived = 0 AND r.track = ?2"
        + " AND r.state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION')", app, track)
  }

  /// What a published manifest lists, live or not, by identifier.
  func listedEntries(app: String, track: Track, scope: ManifestScope) throws(StoreFailure) -> [ManifestEntry] {
    try entries(
      """
      r.track = ?2 AND EXISTS (SELECT 1 FROM manifest_entries e WHERE e.app_id = ?1 AND e.track = ?2
      AND e.platform = ?3 AND p.app_id = ?1 AND e.identifier = p.identifier AND e.number = v.number)
      """, app, track, scope.name)
  }

  /// A version of a pack as a manifest of the track lists it; empty when there is none of that number.
  func entries(app: String, track: Track, pack: String, number: Int) throws(StoreFailure) -> [ManifestEntry] {
    try entries("p.app_id = ?1 AND r.track = ?2 AND p.identifier = ?3 AND v.number = ?4", app, track, pack, number)
  }

  /// The new versions of a rollout, by identifier.
  func entries(versionsOfRollout id: String, track: Track) throws(StoreFailure) -> [ManifestEntry] {
    try entries(
      "r.track = ?2 AND p.archived = 0 AND v.id IN (SELECT version_id FROM rollout_packs WHERE rollout_id = ?1)", id,
      track)
  }

  /// The versions that a lane keeps, by identifier.
  func entries(pinsOfLane id: String, track: Track) throws(StoreFailure) -> [ManifestEntry] {
    try entries(
      "r.track = ?2 AND p.archived = 0 AND v.id IN (SELECT version_id FROM lane_pins WHERE lane_id = ?1)", id, track)
  }

  private func entries(_ condition: String, _ values: any SQLBindable...) throws(StoreFailure) -> [ManifestEntry] {
    try rows(
      """
      SELECT p.identifier, v.id, v.number, r.state, v.size, v.sha256, v.platforms, v.language, v.policy, v.user_info
      FROM releases r JOIN versions v ON v.id = r.version_id JOIN packs p ON p.id = r.pack_id
      WHERE \(condition) ORDER BY p.identifier
      """, values
    ) { row in
      ManifestEntry(
        identifier: row.text(0), versionID: row.text(1), number: row.number(2), state: row.text(3),
        size: row.integer(4), sha256: row.text(5), platforms: platforms(row.text(6)),
        language: row.optionalText(7), policy: row.text(8), userInfo: row.optionalText(9))
    }
  }

  /// The published manifests of an app, in a fixed order.
  func manifests(app: String) throws(StoreFailure) -> [ManifestRecord] {
    try rows(
      """
      SELECT track, platform, generation, bytes, sha256, published FROM manifests WHERE app_id = ?
      ORDER BY track, platform
      """, app
    ) { (row) throws(StoreFailure) in
      guard let scope = ManifestScope(name: row.text(1)) else {
        throw .valueUnknown(column: "manifests.platform", value: row.text(1))
      }
      return ManifestRecord(
        track: try row.value(0), scope: scope, generation: row.number(2), bytes: row.bytes(3), sha256: row.text(4),
        published: row.integer(5))
    }
  }

  /// Puts a manifest in the place of the last one.
  func store(
    _ manifest: ManifestRecord, app: String, baseURL: String, entries: [ManifestEntry]
  ) throws(StoreFailure) {
    let key: [any SQLBindable] = [app, manifest.track, manifest.scope.name]
    try run("DELETE FROM manifest_entries WHERE app_id = ? AND track = ? AND platform = ?", key)
    try run(
      """
      INSERT INTO manifests VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (app_id, track, platform) DO UPDATE SET
      generation = excluded.generation, bytes = excluded.bytes, sha256 = excluded.sha256, base_url = excluded.base_url,
      published = excluded.published
      """,
      key + [
        manifest.generation, manifest.bytes, manifest.sha256,
        baseURL, manifest.published,
      ])
    for entry in entries {
      try run(
        "INSERT INTO manifest_entries VALUES (?, ?, ?, ?, ?)",
        key + [entry.identifier, entry.number])
    }
  }
}
