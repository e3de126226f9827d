import AssetPacks

/// An app's quota and what is used of it, in bytes.
package struct QuotaUsage: Sendable, Equatable {
  package let quota: Quota
  /// Whether the app has a quota of its own, and not the configuration's.
  package let isOwn: Bool
  package let used: Int64
  /// Uploads in flight, in full.
  package let reserved: Int64
  /// What a collection would free, regardless of the grace period.
  package let reclaimable: Int64
  /// Packs that are not archived.
  package let packs: Int
  /// Bytes on the disk of the app's versions, each blob once. Blobs shared with another app are included.
  package let stored: Int64
}

/// What all apps use together, in bytes.
package struct ServerUsage: Sendable, Equatable {
  package let used: Int64
  package let reserved: Int64
  package let reclaimable: Int64
  /// Bytes of all blobs on the disk.
  package let stored: Int64
  /// Nil when only the disk limits it.
  package let limit: Int64?
  package let apps: Int
  package let packs: Int
}

/// What the metrics report about quotas.
package struct QuotaReading: Sendable, Equatable {
  package let bundleID: String
  package let used: Int64
  package let reserved: Int64
  package let limit: Int
  package let packs: Int
  package let packLimit: Int

  package init(bundleID: String, used: Int64, reserved: Int64, limit: Int, packs: Int, packLimit: Int) {
    self.bundleID = bundleID
    self.used = used
    self.reserved = reserved
    self.limit = limit
    self.packs = packs
    self.packLimit = packLimit
  }
}

extension PackStore {
  /// Notes in the audit log that 80 % of a quota are used, once each time that mark is crossed. To be called at the end
  /// of every change to what an app uses.
  func noteQuota(_ change: Change, app id: String) throws(StoreFailure) {
    let connection = change.connection
    let quota = try quota(connection, app: id)
    let used = try connection.usage(app: id).used
    try note(change, app: id, used: used, limit: Int64(quota.maximumBytes))
    guard let limit = options.serverQuota else { return }
    try note(change, app: nil, used: try connection.usage(app: nil).used, limit: limit)
  }

  private func note(_ change: Change, app id: String?, used: Int64, limit: Int64) throws(StoreFailure) {
    let connection = change.connection
    let scope = id ?? ""
    let isOver = limit > 0 && used >= Int64(Quota.warningBytes(of: Int(clamping: limit)))
    let wasOver = try connection.first("SELECT 1 FROM quota_crossings WHERE scope = ?", scope) { _ in true }
    if isOver == (wasOver ?? false) { return }
    guard isOver else {
      return try connection.run("DELETE FROM quota_crossings WHERE scope = ?", scope)
    }
    try connection.run("INSERT INTO quota_crossings VALUES (?, ?)", scope, change.now)
    let subject = if let id { try connection.app(id).bundleID } else { "server" }
    try change.audit(
      "quota.threshold", app: id, subject: .text(subject), after: "\(used) of \(limit) bytes",
      reason: "80 % of the quota are used")
  }
}
