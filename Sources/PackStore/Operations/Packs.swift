import AssetPacks

extension PackStore {
  /// Creates a pack of an app.
  ///
  /// - Throws: `alreadyExists`, `valueRefused`, `notFound`, `tooManyPacks`.
  package func createPack(app: String, identifier: String, actor: Actor) throws(StoreFailure) -> PackRecord {
    let identifier = try checked("assetPackIdentifier") { () throws(AssetPackFailure) in
      try AssetPackID(identifier)
    }.text
    let id = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      _ = try connection.app(app)
      let other = try connection.first(
        "SELECT id FROM packs WHERE app_id = ? AND identifier = ?", [SQLValue(app), SQLValue(identifier)]
      ) { $0.text(0) }
      if let other { throw .alreadyExists(kind: .pack, name: identifier, id: other) }
      try checkPackCount(connection, app: app)
      try connection.run(
        "INSERT INTO packs (id, app_id, identifier, created) VALUES (?, ?, ?, ?)",
        [SQLValue(id), SQLValue(app), SQLValue(identifier), SQLValue(change.now)])
      try change.audit("pack.create", app: app, subject: identifier)
      return try connection.pack(id)
    }
  }

  /// The pack of that id.
  package func pack(_ id: String) throws(StoreFailure) -> PackRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.pack(id) }
  }

  /// The packs of an app in the order of their making.
  package func packs(
    app: String, identifier: String? = nil, page: PageRequest = .init()
  ) throws(StoreFailure) -> Page<PackRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(app)
      let wanted = SQLValue(identifier)
      let rows = try connection.rows(
        """
        SELECT \(Connection.packColumns) FROM packs p
        WHERE p.app_id = ?1 AND (?2 IS NULL OR p.identifier = ?2) AND p.seq > ?3 ORDER BY p.seq LIMIT ?4
        """, [SQLValue(app), wanted, SQLValue(page.after ?? 0), SQLValue(page.limit + 1)]
      ) { (row) throws(StoreFailure) in (seq: row.integer(0), item: try connection.pack(row)) }
      let total = try connection.first(
        "SELECT count(*) FROM packs WHERE app_id = ?1 AND (?2 IS NULL OR identifier = ?2)", [SQLValue(app), wanted]
      ) { $0.number(0) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }
}

extension Connection {
  static let packColumns = "p.seq, p.id, p.app_id, p.identifier, p.archived, p.last_version, p.created"

  func pack(_ row: Row) throws(StoreFailure) -> PackRecord {
    PackRecord(
      id: row.text(1), appID: row.text(2), identifier: row.text(3), archived: row.flag(4),
      lastVersion: row.number(5), created: row.integer(6),
      usedBytes: row.flag(4) ? 0 : Int64(Quota.usedBytes(ofPack: try quotaVersions(pack: row.text(1)))))
  }

  func pack(_ id: String) throws(StoreFailure) -> PackRecord {
    let found = try first(
      "SELECT \(Self.packColumns) FROM packs p WHERE p.id = ?", [SQLValue(id)]
    ) { (row) throws(StoreFailure) in try pack(row) }
    guard let found else { throw .notFound(kind: .pack, name: id) }
    return found
  }

  func pack(app: String, identifier: String) throws(StoreFailure) -> PackRecord {
    let found = try first(
      "SELECT \(Self.packColumns) FROM packs p WHERE p.app_id = ? AND p.identifier = ?",
      [SQLValue(app), SQLValue(identifier)]
    ) { (row) throws(StoreFailure) in try pack(row) }
    guard let found else { throw .notFound(kind: .pack, name: identifier) }
    return found
  }
}
