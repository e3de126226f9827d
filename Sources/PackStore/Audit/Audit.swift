extension PackStore {
  /// The lines of the audit log, newest first.
  package func auditLog(app: String? = nil, page: PageRequest = .init()) throws(StoreFailure) -> Page<AuditRecord> {
    try auditLog(AuditFilter(app: app), page: page)
  }

  /// The lines of the audit log that pass `filter`, newest first.
  package func auditLog(_ filter: AuditFilter, page: PageRequest = .init()) throws(StoreFailure) -> Page<AuditRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      let (condition, values) = filter.condition
      let rows = try connection.rows(
        "SELECT \(CatalogConnection.auditColumns) FROM audit WHERE \(condition) AND seq < ? ORDER BY seq DESC LIMIT ?",
        values + [page.after ?? Int64.max, page.limit + 1]
      ) { row in
        let record = CatalogConnection.audit(row)
        return (seq: record.number, item: record)
      }
      let total = try connection.first("SELECT count(*) FROM audit WHERE \(condition)", values) { $0.number(0) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// The line of that number.
  package func auditRecord(_ number: Int64) throws(StoreFailure) -> AuditRecord {
    let found = try catalog.read { (connection) throws(StoreFailure) in
      try connection.first(
        "SELECT \(CatalogConnection.auditColumns) FROM audit WHERE seq = ?", number, make: CatalogConnection.audit)
    }
    guard let found else { throw .notFound(kind: .auditEvent, name: String(number)) }
    return found
  }
}

extension CatalogConnection {
  static let auditColumns =
    "seq, at, actor, token_id, action, app_id, subject, before, after, reason, address, user_agent"

  static func audit(_ row: Row) -> AuditRecord {
    AuditRecord(
      number: row.integer(0), at: row.integer(1),
      actor: Actor(
        name: row.text(2), tokenID: row.optionalText(3), address: row.optionalText(10),
        userAgent: row.optionalText(11)),
      action: row.text(4), appID: row.optionalText(5), subject: row.text(6), before: row.optionalText(7),
      after: row.optionalText(8), reason: row.optionalText(9))
  }
}

extension Change {
  /// Adds a line to the audit log, in the same transaction.
  func audit(
    _ action: String, app: String?, subject: String, before: String? = nil, after: String? = nil,
    reason: String? = nil
  ) throws(StoreFailure) {
    try connection.run(
      """
      INSERT INTO audit (at, actor, token_id, action, app_id, subject, before, after, reason, address, user_agent)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, now, actor.name, actor.tokenID, action, app, subject, before, after, reason, actor.address, actor.userAgent)
  }
}
