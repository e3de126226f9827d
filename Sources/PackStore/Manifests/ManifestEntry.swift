import AssetPacks
import JSONText

/// What a manifest says about one pack.
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

  /// Versions of packs as a manifest of the track lists them, live or not, by identifier.
  ///
  /// - Parameter listing: the number of each pack.
  func entries(app: String, track: Track, listing: [String: Int]) throws(StoreFailure) -> [ManifestEntry] {
    let members = listing.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }
    return try entries(
      """
      r.track = ?2 AND v.id IN (
        SELECT l.id FROM json_each(?3) e JOIN packs q ON q.app_id = ?1 AND q.identifier = e.key
        JOIN versions l ON l.pack_id = q.id AND l.number = e.value)
      """, app, track, JSONValue.object(JSONObject(members)).text())
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
}
