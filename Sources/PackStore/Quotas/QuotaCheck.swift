import AssetPacks

extension PackStore {
  /// What an app's packs use of its quota, and what uploads in flight have reserved, in bytes.
  package func usage(app: String) throws(StoreFailure) -> (used: Int64, reserved: Int64) {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(app)
      return try connection.usage(app: app)
    }
  }

  /// Refuses when `adding` more bytes would exceed the app's quota or the server's. Exact inside a transaction: nothing
  /// else can be reserved before it ends.
  func checkQuota(_ connection: CatalogConnection, app: String, adding: Int64) throws(StoreFailure) {
    let usage = try connection.usage(app: app)
    let quota = try quota(connection, app: app)
    do throws(Quota.Refusal) {
      try quota.admit(
        upload: Int(clamping: adding), used: Int(clamping: usage.used), reserved: Int(clamping: usage.reserved))
    } catch { throw .quota(error) }
    guard let limit = options.serverQuota else { return }
    let all = try connection.usage(app: nil)
    let free = max(0, limit - all.used - all.reserved)
    if adding > free {
      throw .quota(
        .server(needed: Int(clamping: adding), free: Int(clamping: free), maximum: Int(clamping: limit)))
    }
  }

  /// Refuses one more pack that is not archived.
  func checkPackCount(_ connection: CatalogConnection, app: String) throws(StoreFailure) {
    let quota = try quota(connection, app: app)
    let count = try connection.packCount(app: app)
    do throws(Quota.Refusal) { try quota.admitPack(existing: count) } catch { throw .quota(error) }
  }

  /// The app's own quota, or that of the configuration.
  func quota(_ connection: CatalogConnection, app: String) throws(StoreFailure) -> Quota {
    try connection.ownQuota(app: app) ?? options.quota
  }
}

extension CatalogConnection {
  /// What is used and reserved, of one app or (nil) of all.
  ///
  /// Used is the sum over the packs of the largest eligible version, as `Quota` defines it; a version whose bytes were
  /// collected no longer counts.
  func usage(app: String?) throws(StoreFailure) -> (used: Int64, reserved: Int64) {
    let used = try first(
      """
      SELECT coalesce(sum(largest), 0) FROM (
        SELECT max(v.size) AS largest FROM packs p JOIN versions v ON v.pack_id = p.id
        WHERE (?1 IS NULL OR p.app_id = ?1) AND p.archived = 0 AND v.state = 'COMPLETE' AND v.collected IS NULL
        AND (SELECT count(*) FROM releases r WHERE r.version_id = v.id AND r.state = 'SUPERSEDED') < 3
        GROUP BY p.id)
      """, app
    ) { $0.integer(0) }
    let reserved = try first(
      """
      SELECT coalesce(sum(u.size), 0) FROM upload_files u JOIN versions v ON v.id = u.version_id
      JOIN packs p ON p.id = v.pack_id
      WHERE (?1 IS NULL OR p.app_id = ?1) AND u.state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE')
      """, app
    ) { $0.integer(0) }
    return (used ?? 0, reserved ?? 0)
  }

  /// The packs that are not archived, of one app or (nil) of all.
  func packCount(app: String?) throws(StoreFailure) -> Int {
    try first("SELECT count(*) FROM packs WHERE (?1 IS NULL OR app_id = ?1) AND archived = 0", app) {
      $0.number(0)
    } ?? 0
  }

  /// The complete versions of a pack as the quota sees them.
  func quotaVersions(pack: String) throws(StoreFailure) -> [Quota.Version] {
    try rows(
      """
      SELECT v.size,
        (SELECT state FROM releases WHERE version_id = v.id AND track = 'internal'),
        (SELECT state FROM releases WHERE version_id = v.id AND track = 'beta'),
        (SELECT state FROM releases WHERE version_id = v.id AND track = 'production')
      FROM versions v WHERE v.pack_id = ? AND v.state = 'COMPLETE' AND v.collected IS NULL
      """, pack
    ) { (row) throws(StoreFailure) in
      Quota.Version(
        size: row.number(0), state: .complete, internalBeta: try row.optionalValue(1),
        externalBeta: try row.optionalValue(2), production: try row.optionalValue(3))
    }
  }
}
