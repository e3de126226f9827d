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
    "seq, at, actor, token_id, action, app_id, subject, before, after, reason, address, user_agent, pack_id, "
    + "version_number, track, submission_id"

  static func audit(_ row: Row) -> AuditRecord {
    var record = AuditRecord(
      number: row.integer(0), at: row.integer(1),
      actor: Actor(
        name: row.text(2), tokenID: row.optionalText(3), address: row.optionalText(10),
        userAgent: row.optionalText(11)),
      action: row.text(4), appID: row.optionalText(5), subject: row.text(6), before: row.optionalText(7),
      after: row.optionalText(8), reason: row.optionalText(9))
    record.packID = row.optionalText(12)
    record.versionNumber = row.optionalInteger(13).map { Int($0) }
    record.track = row.optionalText(14)
    record.submissionID = row.optionalText(15)
    return record
  }
}

extension Change {
  /// Adds a line to the audit log with the ids of what it is about, in the same transaction.
  func audit(
    _ action: String, app: String?, subject: AuditSubject, before: String? = nil, after: String? = nil,
    reason: String? = nil
  ) throws(StoreFailure) {
    let single = subject.packs.count == 1 ? subject.packs.first : nil
    var packs: String?
    if subject.packs.count > 1 {
      // Ids of packs have no quotes.
      let pairs = subject.packs.map { "[\"\($0.id)\",\($0.number.map(String.init) ?? "null")]" }
      packs = "[" + pairs.joined(separator: ",") + "]"
    }
    try connection.run(
      """
      INSERT INTO audit (at, actor, token_id, action, app_id, subject, before, after, reason, address, user_agent,
        subject_kind, pack_id, version_number, track, submission_id, packs)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, now, actor.name, actor.tokenID, action, app, subject.text, before, after, reason, actor.address,
      actor.userAgent, subject.kind, single?.id, single?.number, subject.track, subject.submissionID, packs)
  }
}
