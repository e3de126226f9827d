import AssetPacks

extension PackStore {
  /// Tells in the audit log that 80 % of a quota are used, once for each time that it comes to that. To be called at
  /// the end of every change of what an app uses.
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
      "quota.threshold", app: id, subject: subject, after: "\(used) of \(limit) bytes",
      reason: "80 % of the quota are used")
  }
}
