extension PackStore {
  /// Creates a pack of an app.
  ///
  /// - Throws: `alreadyExists`, `valueRefused`, `notFound`, `tooManyPacks`.
  package func createPack(app: String, identifier: String, actor: Actor) throws(StoreFailure) -> PackRecord {
    let identifier = try checkedPackIdentifier(identifier)
    let id = try newID()
    let limit = options.quotaPacks
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      _ = try connection.app(app)
      let other = try connection.first(
        "SELECT id FROM packs WHERE app_id = ? AND identifier = ?", [SQLValue(app), SQLValue(identifier)]
      ) { $0.text(0) }
      if let other { throw .alreadyExists(kind: .pack, name: identifier, id: other) }
      let count = try connection.first(
        "SELECT count(*) FROM packs WHERE app_id = ? AND archived = 0", [SQLValue(app)]
      ) { $0.number(0) }
      if count ?? 0 >= limit { throw .tooManyPacks(limit: limit) }
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
      ) { (seq: $0.integer(0), item: Connection.pack($0)) }
      let total = try connection.first(
        "SELECT count(*) FROM packs WHERE app_id = ?1 AND (?2 IS NULL OR identifier = ?2)", [SQLValue(app), wanted]
      ) { $0.number(0) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }
}

extension Connection {
  /// The last one is what the pack counts for in the quota.
  static let packColumns = """
    p.seq, p.id, p.app_id, p.identifier, p.archived, p.last_version, p.created, (
      SELECT coalesce(max(v.size), 0) FROM versions v
      WHERE v.pack_id = p.id AND p.archived = 0 AND v.state = 'COMPLETE'
      AND EXISTS (SELECT 1 FROM releases r WHERE r.version_id = v.id AND r.state <> 'SUPERSEDED'))
    """

  static func pack(_ row: Row) -> PackRecord {
    PackRecord(
      id: row.text(1), appID: row.text(2), identifier: row.text(3), archived: row.flag(4),
      lastVersion: row.number(5), created: row.integer(6), usedBytes: row.integer(7))
  }

  func pack(_ id: String) throws(StoreFailure) -> PackRecord {
    let found = try first("SELECT \(Self.packColumns) FROM packs p WHERE p.id = ?", [SQLValue(id)]) { Self.pack($0) }
    guard let found else { throw .notFound(kind: .pack, name: id) }
    return found
  }

  func pack(app: String, identifier: String) throws(StoreFailure) -> PackRecord {
    let found = try first(
      "SELECT \(Self.packColumns) FROM packs p WHERE p.app_id = ? AND p.identifier = ?",
      [SQLValue(app), SQLValue(identifier)]
    ) { Self.pack($0) }
    guard let found else { throw .notFound(kind: .pack, name: identifier) }
    return found
  }
}
