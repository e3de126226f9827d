import AssetPacks

/// A lane: a manifest of a track in which some packs stay at a version.
package struct LaneRecord: Sendable, Equatable {
  package struct Pin: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let versionID: String
    package let number: Int
  }

  package let id: String
  package let appID: String
  package let track: Track
  package let name: String
  /// By identifier.
  package let pins: [Pin]
  package let manifestURL: String
  /// Seconds since 1970.
  package let created: Int64
  package let changed: Int64
}

/// What to do with a pack in a lane.
package struct LanePin: Sendable, Equatable {
  package let assetPackIdentifier: String
  /// Nil lets the pack follow the track again.
  package let number: Int?

  package init(_ assetPackIdentifier: String, number: Int?) {
    self.assetPackIdentifier = assetPackIdentifier
    self.number = number
  }
}

extension ListSchema {
  /// The lanes of an app, in order of creation.
  package static let lanes = ListSchema(
    columns: [
      Column("track", "l.track", filter: .choice(of: Track.self)),
      Column("name", "l.name", filter: .text, sorts: true),
      Column("createdDate", "l.created", sorts: true),
    ], source: "lanes l", sequence: "l.seq", isNewestFirst: false)
}

/// A lane as a publish needs it.
struct LaneRow: Sendable {
  let id: String
  let name: String
}

extension CatalogConnection {
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
    _ connection: CatalogConnection, _ condition: String, _ values: any SQLBindable...
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

  func lane(_ connection: CatalogConnection, _ id: String) throws(StoreFailure) -> LaneRecord {
    guard let found = try lanes(connection, "l.id = ?1", id).first else {
      throw .notFound(kind: .lane, name: id)
    }
    return found.item
  }
}
