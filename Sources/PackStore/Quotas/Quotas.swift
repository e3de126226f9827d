import AssetPacks

extension PackStore {
  /// An app's quota and what is used of it.
  package func quotaUsage(app id: String) throws(StoreFailure) -> QuotaUsage {
    let published = publishedVersions()
    return try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(id)
      let own = try connection.ownQuota(app: id)
      let usage = try connection.usage(app: id)
      let plan = try collectionPlan(connection, published: published, now: now())
      return QuotaUsage(
        quota: own ?? options.quota, isOwn: own != nil, used: usage.used, reserved: usage.reserved,
        reclaimable: plan.bytes(app: id, onlyDue: false), packs: try connection.packCount(app: id),
        stored: try connection.storedBytes(app: id))
    }
  }

  /// What all apps use together.
  package func serverUsage() throws(StoreFailure) -> ServerUsage {
    let published = publishedVersions()
    return try catalog.read { (connection) throws(StoreFailure) in
      let usage = try connection.usage(app: nil)
      let plan = try collectionPlan(connection, published: published, now: now())
      let apps = try connection.first("SELECT count(*) FROM apps") { $0.number(0) }
      return ServerUsage(
        used: usage.used, reserved: usage.reserved, reclaimable: plan.bytes(app: nil, onlyDue: false),
        stored: try connection.storedBytes(app: nil), limit: options.serverQuota, apps: apps ?? 0,
        packs: try connection.packCount(app: nil))
    }
  }

  /// Gives an app a quota of its own, or (nil) the configuration's again.
  ///
  /// A quota below what is used refuses uploads; nothing stored is removed.
  /// - Throws: `notFound`, `valueRefused` for numbers below 0.
  package func setQuota(app id: String, _ quota: Quota?, actor: Actor) throws(StoreFailure) {
    if let quota, quota.maximumBytes < 0 || quota.maximumPacks < 0 || (quota.maximumPackBytes ?? 1) < 1 {
      throw .valueRefused(
        field: "limit", value: "\(quota.maximumBytes) bytes, \(quota.maximumPacks) packs", expected: "at least 0")
    }
    try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let app = try connection.app(id)
      let before = try self.quota(connection, app: id)
      try connection.run("DELETE FROM app_quotas WHERE app_id = ?", id)
      if let quota {
        try connection.run(
          "INSERT INTO app_quotas VALUES (?, ?, ?, ?, ?, ?)", id, quota.preset, quota.maximumBytes, quota.maximumPacks,
          quota.maximumPackBytes, quota.isEnforced)
      }
      try change.audit(
        "quota.change", app: id, subject: .text(app.bundleID), before: before.summary,
        after: (quota ?? options.quota).summary)
      try noteQuota(change, app: id)
    }
  }

  /// What the metrics report: each app's quota, and the bytes of all blobs.
  package func quotaReadings() throws(StoreFailure) -> (apps: [QuotaReading], stored: Int64) {
    try catalog.read { (connection) throws(StoreFailure) in
      let apps = try connection.rows("SELECT id, bundle_id FROM apps ORDER BY seq") { ($0.text(0), $0.text(1)) }
      var readings: [QuotaReading] = []
      for (id, bundleID) in apps {
        let usage = try connection.usage(app: id)
        let quota = try quota(connection, app: id)
        readings.append(
          QuotaReading(
            bundleID: bundleID, used: usage.used, reserved: usage.reserved, limit: quota.maximumBytes,
            packs: try connection.packCount(app: id), packLimit: quota.maximumPacks))
      }
      return (readings, try connection.storedBytes(app: nil))
    }
  }
}

extension Quota {
  /// For the audit log.
  fileprivate var summary: String {
    "\(preset.rawValue): \(maximumBytes) bytes, \(maximumPacks) packs"
      + (maximumPackBytes.map { ", \($0) bytes a pack" } ?? "") + (isEnforced ? "" : ", not enforced")
  }
}

extension CatalogConnection {
  /// The quota that the app has of its own.
  func ownQuota(app: String) throws(StoreFailure) -> Quota? {
    try first(
      "SELECT preset, maximum_bytes, maximum_packs, maximum_pack_bytes, enforced FROM app_quotas WHERE app_id = ?", app
    ) { (row) throws(StoreFailure) in
      var quota = Quota(try row.value(0))
      quota.maximumBytes = row.number(1)
      quota.maximumPacks = row.number(2)
      quota.maximumPackBytes = row.optionalInteger(3).map { Int(clamping: $0) }
      quota.isEnforced = row.flag(4)
      return quota
    }
  }

  /// The bytes of all existing blobs, of one app or (nil) of all.
  func storedBytes(app: String?) throws(StoreFailure) -> Int64 {
    try first(
      """
      SELECT coalesce(sum(b.size), 0) FROM blobs b WHERE b.collected IS NULL AND (?1 IS NULL OR EXISTS (
        SELECT 1 FROM versions v JOIN packs p ON p.id = v.pack_id
        WHERE v.sha256 = b.sha256 AND p.app_id = ?1 AND v.collected IS NULL))
      """, app
    ) { $0.integer(0) } ?? 0
  }
}
