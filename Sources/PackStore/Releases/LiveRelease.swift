import AssetPacks

/// A release in its track's live slot.
struct LiveRelease: Sendable {
  let id: String
  let versionID: String
  let packID: String
  let pack: String
  let number: Int
  let track: Track
  let state: String
}

extension CatalogConnection {
  /// The release in the live slot of a pack on a track.
  func liveRelease(pack: String, track: Track) throws(StoreFailure) -> LiveRelease? {
    try first(
      """
      SELECT r.id, r.version_id, p.identifier, v.number, r.state FROM releases r
      JOIN versions v ON v.id = r.version_id JOIN packs p ON p.id = r.pack_id
      WHERE r.pack_id = ? AND r.track = ? AND r.state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION')
      """, pack, track
    ) { row in
      LiveRelease(
        id: row.text(0), versionID: row.text(1), packID: pack, pack: row.text(2), number: row.number(3), track: track,
        state: row.text(4))
    }
  }

  /// The highest number that a pack ever had live on a track.
  func highestLiveNumber(pack: String, track: Track) throws(StoreFailure) -> Int? {
    let highest = try first(
      """
      SELECT max(v.number) FROM releases r JOIN versions v ON v.id = r.version_id
      WHERE r.pack_id = ? AND r.track = ? AND r.went_live IS NOT NULL
      """, pack, track
    ) { $0.optionalInteger(0) }
    return highest.flatMap { $0 }.map { Int($0) }
  }

  /// Refuses a number below the highest that was ever live: devices that saw it ignore a lower one, even after the
  /// higher one was removed.
  func checkRise(pack: PackRecord, number: Int, track: Track) throws(StoreFailure) {
    if let highest = try highestLiveNumber(pack: pack.id, track: track), highest > number {
      throw .versionWouldFall(pack: pack.identifier, track: track, live: highest, requested: number)
    }
  }

  /// The version of that number, or the newest complete one; always a complete one.
  func versionToRelease(pack: PackRecord, number: Int?) throws(StoreFailure) -> VersionRecord {
    guard let number else {
      guard let newest = try newestCompleteVersion(pack: pack.id) else {
        throw .noCompleteVersion(pack: pack.identifier)
      }
      return newest
    }
    let found = try versions("v.pack_id = ?1 AND v.number = ?2", pack.id, number).first?.item
    guard let found else { throw .notFound(kind: .version, name: "\(number) of \(pack.identifier)") }
    guard found.state == .complete else {
      throw .versionNotComplete(pack: pack.identifier, number: number, state: found.state)
    }
    if found.collected != nil { throw .versionCollected(pack: pack.identifier, number: number) }
    return found
  }
}

extension PackStore {
  /// The release of that id on a track.
  package func versionRelease(_ id: String, track: Track) throws(StoreFailure) -> VersionReleaseRecord {
    let found = try catalog.read { (connection) throws(StoreFailure) in
      try connection.first(
        """
        SELECT r.version_id, p.app_id, r.state FROM releases r JOIN packs p ON p.id = r.pack_id
        WHERE r.id = ? AND r.track = ?
        """, id, track
      ) { row in
        VersionReleaseRecord(id: id, versionID: row.text(0), appID: row.text(1), track: track, state: row.text(2))
      }
    }
    guard let found else { throw .notFound(kind: .release, name: id) }
    return found
  }
}
