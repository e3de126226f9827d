import AssetPacks

extension PackStore {
  /// All that delivery serves, as of one moment.
  package func liveState() throws(StoreFailure) -> LiveState {
    try catalog.read { (connection) throws(StoreFailure) in
      let ids = try connection.rows("SELECT id FROM apps ORDER BY bundle_id") { $0.text(0) }
      var apps: [LiveState.App] = []
      for id in ids { apps.append(try connection.liveApp(id)) }
      return LiveState(apps: apps)
    }
  }
}

extension Connection {
  /// What delivery serves of one app.
  func liveApp(_ id: String) throws(StoreFailure) -> LiveState.App {
    let app = try app(id)
    let versions = try rows(
      """
      SELECT p.identifier, v.number, v.sha256, v.size, v.created, EXISTS (
        SELECT 1 FROM releases l
        WHERE p.archived = 0 AND l.version_id = v.id AND l.state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION'))
      FROM versions v JOIN packs p ON p.id = v.pack_id
      WHERE p.app_id = ? AND v.state = 'COMPLETE' AND v.collected IS NULL
      AND EXISTS (SELECT 1 FROM releases r WHERE r.version_id = v.id AND r.went_live IS NOT NULL)
      ORDER BY p.identifier, v.number
      """, [SQLValue(id)]
    ) { row in
      LiveState.Version(
        assetPackIdentifier: row.text(0), number: row.number(1), sha256: row.text(2), size: row.integer(3),
        created: row.integer(4), isLive: row.flag(5))
    }
    return LiveState.App(
      id: app.id, bundleID: app.bundleID, domainAllowList: app.domainAllowList, manifests: try manifests(app: id),
      versions: versions)
  }
}
