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
    guard adding <= options.quotaBytes - usage.used - usage.reserved else {
      throw .quotaExceeded(
        needed: adding, used: usage.used, reserved: usage.reserved, limit: options.quotaBytes)
    }
  }
}

extension Connection {
  func usage(app: String) throws(StoreFailure) -> (used: Int64, reserved: Int64) {
    let used = try rows("SELECT \(Self.packColumns) FROM packs p WHERE p.app_id = ?", [SQLValue(app)]) {
      Self.pack($0).usedBytes
    }
    let reserved = try first(
      """
      SELECT coalesce(sum(u.size), 0) FROM upload_files u JOIN versions v ON v.id = u.version_id
      JOIN packs p ON p.id = v.pack_id WHERE p.app_id = ? AND u.state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE')
      """, [SQLValue(app)]
    ) { $0.integer(0) }
    return (used.reduce(0, +), reserved ?? 0)
  }
}
