import AssetPacks

extension PackStore {
  /// What an app's packs use of its quota, and what uploads in flight have reserved, in bytes.
  package func usage(app: String) throws(StoreFailure) -> (used: Int64, reserved: Int64) {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(app)
      return try connection.usage(app: app)
    }
  }

  /// Refuses when `adding` bytes more would pass the app's quota.
  func checkQuota(_ connection: Connection, app: String, adding: Int64) throws(StoreFailure) {
    let usage = try connection.usage(app: app)
    do throws(Quota.Refusal) {
      try options.quota.admit(upload: Int(adding), used: Int(usage.used), reserved: Int(usage.reserved))
    } catch { throw .quota(error) }
  }
}

extension Connection {
  func usage(app: String) throws(StoreFailure) -> (used: Int64, reserved: Int64) {
    let packs = try rows("SELECT id FROM packs WHERE app_id = ? AND archived = 0", [SQLValue(app)]) {
      (row) throws(StoreFailure) in try quotaVersions(pack: row.text(0))
    }
    let reserved = try first(
      """
      SELECT coalesce(sum(u.size), 0) FROM upload_files u JOIN versions v ON v.id = u.version_id
      JOIN packs p ON p.id = v.pack_id WHERE p.app_id = ? AND u.state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE')
      """, [SQLValue(app)]
    ) { $0.integer(0) }
    return (Int64(Quota.usedBytes(ofPacks: packs)), reserved ?? 0)
  }

  /// The complete versions of a pack as the quota sees them.
  func quotaVersions(pack: String) throws(StoreFailure) -> [Quota.Version] {
    try rows(
      """
      SELECT v.size,
        (SELECT state FROM releases WHERE version_id = v.id AND track = 'internal'),
        (SELECT state FROM releases WHERE version_id = v.id AND track = 'beta'),
        (SELECT state FROM releases WHERE version_id = v.id AND track = 'production')
      FROM versions v WHERE v.pack_id = ? AND v.state = 'COMPLETE'
      """, [SQLValue(pack)]
    ) { (row) throws(StoreFailure) in
      Quota.Version(
        size: row.number(0), state: .complete, internalBeta: try row.optionalValue(1),
        externalBeta: try row.optionalValue(2), production: try row.optionalValue(3))
    }
  }
}
