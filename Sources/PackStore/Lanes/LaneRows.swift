import AssetPacks

/// A lane as a publish needs it.
struct LaneRow: Sendable {
  let id: String
  let name: String
}

extension Connection {
  /// The lanes of a track by name, those that were removed left out.
  func lanes(app: String, track: Track) throws(StoreFailure) -> [LaneRow] {
    try rows(
      "SELECT id, name FROM lanes WHERE app_id = ? AND track = ? AND removed IS NULL ORDER BY name", app, track
    ) { LaneRow(id: $0.text(0), name: $0.text(1)) }
  }

  /// The pins of a lane, by identifier.
  func pins(lane id: String) throws(StoreFailure) -> [LaneRecord.Pin] {
    try rows(
      """
      SELECT p.identifier, v.id, v.number FROM lane_pins n JOIN packs p ON p.id = n.pack_id
      JOIN versions v ON v.id = n.version_id WHERE n.lane_id = ? ORDER BY p.identifier
      """, id
    ) { LaneRecord.Pin(assetPackIdentifier: $0.text(0), versionID: $0.text(1), number: $0.number(2)) }
  }
}

extension PackStore {
  /// The lanes that meet `condition`, where `l` is the lane and `a` its app.
  func lanes(
    _ connection: Connection, _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: LaneRecord)] {
    try connection.rows(
      """
      SELECT l.seq, l.id, l.app_id, l.track, l.name, l.created, l.changed, a.bundle_id
      FROM lanes l JOIN apps a ON a.id = l.app_id WHERE l.removed IS NULL AND \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let track = try row.value(3, Track.self)
      let record = LaneRecord(
        id: row.text(1), appID: row.text(2), track: track, name: row.text(4),
        pins: try connection.pins(lane: row.text(1)),
        manifestURL: manifestURL(bundleID: row.text(7), track: track, lane: row.text(4)), created: row.integer(5),
        changed: row.integer(6))
      return (row.integer(0), record)
    }
  }

  func lane(_ connection: Connection, _ id: String) throws(StoreFailure) -> LaneRecord {
    guard let found = try lanes(connection, "l.id = ?1", id).first else {
      throw .notFound(kind: .lane, name: id)
    }
    return found.item
  }
}
