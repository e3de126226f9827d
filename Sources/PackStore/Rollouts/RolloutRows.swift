import AssetPacks

extension CatalogConnection {
  /// The rollouts that meet `condition`, where `o` is the rollout.
  func rollouts(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: RolloutRecord)] {
    try rows(
      """
      SELECT o.seq, o.id, o.app_id, o.track, o.state, o.percent, o.salt, o.created, o.changed
      FROM rollouts o WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = RolloutRecord(
        id: row.text(1), appID: row.text(2), track: try row.value(3), state: try row.value(4), percent: row.number(5),
        salt: UInt64(bitPattern: row.integer(6)), packs: try packs(rollout: row.text(1)), created: row.integer(7),
        changed: row.integer(8))
      return (row.integer(0), record)
    }
  }

  func rollout(_ id: String) throws(StoreFailure) -> RolloutRecord {
    guard let found = try rollouts("o.id = ?1", id).first else {
      throw .notFound(kind: .rollout, name: id)
    }
    return found.item
  }

  /// The running or paused rollout of a track; there is at most one.
  func runningRollout(app: String, track: Track) throws(StoreFailure) -> RolloutRecord? {
    try rollouts(
      "o.app_id = ?1 AND o.track = ?2 AND o.state IN ('RUNNING', 'PAUSED')", app, track
    ).first?.item
  }

  /// Whether the pack has a running or paused rollout on a track.
  func hasRunningRollout(pack: String, track: Track) throws(StoreFailure) -> Bool {
    try first(
      """
      SELECT 1 FROM rollout_packs r JOIN rollouts o ON o.id = r.rollout_id
      WHERE r.pack_id = ? AND o.track = ? AND o.state IN ('RUNNING', 'PAUSED')
      """, pack, track
    ) { _ in true } ?? false
  }

  private func packs(rollout id: String) throws(StoreFailure) -> [RolloutRecord.Pack] {
    try rows(
      """
      SELECT r.pack_id, p.identifier, n.id, n.number, o.id, o.number FROM rollout_packs r
      JOIN packs p ON p.id = r.pack_id JOIN versions n ON n.id = r.version_id JOIN versions o ON o.id = r.previous_id
      WHERE r.rollout_id = ? ORDER BY p.identifier
      """, id
    ) { row in
      RolloutRecord.Pack(
        packID: row.text(0), assetPackIdentifier: row.text(1), versionID: row.text(2), number: row.number(3),
        previousID: row.text(4), previousNumber: row.number(5))
    }
  }
}
