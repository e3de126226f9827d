extension PackStore {
  /// The request that has this key of this token; nil when there is none from the last 24 hours.
  package func idempotencyRecord(token: String, text: String) throws(StoreFailure) -> IdempotencyRecord? {
    let oldest = now() - IdempotencyRecord.lifetime
    return try catalog.read { (connection) throws(StoreFailure) in
      try connection.first(
        """
        SELECT request, body_sha256, subject, status, location, body FROM idempotency
        WHERE token_id = ? AND key = ? AND created > ?
        """, token, text, oldest
      ) { row in
        var answer: KeptAnswer?
        if let status = UInt16(exactly: row.integer(3)), status > 0, !row.isNull(5) {
          answer = KeptAnswer(status: status, location: row.optionalText(4), body: row.bytes(5))
        }
        return IdempotencyRecord(
          key: IdempotencyKey(token: token, text: text, request: row.text(0), bodySHA256: row.text(1)),
          subject: row.optionalText(2), answer: answer)
      }
    }
  }

  /// Whether the token has as many keys as one may have.
  package func hasAllIdempotencyKeys(token: String) throws(StoreFailure) -> Bool {
    let oldest = now() - IdempotencyRecord.lifetime
    return try catalog.read { (connection) throws(StoreFailure) in
      let count = try connection.first(
        "SELECT count(*) FROM idempotency WHERE token_id = ? AND created > ?", token, oldest
      ) { $0.number(0) }
      return count ?? 0 >= IdempotencyRecord.keyLimit
    }
  }

  /// Keeps the answer to a request whose work is done.
  ///
  /// - Parameter answer: nil when it may not be kept, or is too long for it.
  package func keepAnswer(_ answer: KeptAnswer?, key: IdempotencyKey, subject: String?) throws(StoreFailure) {
    let now = now()
    try catalog.write { (connection) throws(StoreFailure) in
      try connection.keep(key, subject: subject, now: now)
      guard let answer, answer.body.count <= IdempotencyRecord.bodyLimit else { return }
      try connection.run(
        "UPDATE idempotency SET status = ?, location = ?, body = ? WHERE token_id = ? AND key = ?",
        Int64(answer.status), answer.location, answer.body, key.token, key.text)
      try connection.run(
        """
        UPDATE idempotency SET body = NULL WHERE body IS NOT NULL AND seq <= (
          SELECT seq FROM idempotency WHERE body IS NOT NULL ORDER BY seq DESC LIMIT 1 OFFSET ?)
        """, IdempotencyRecord.keptBodies)
    }
  }
}

extension Connection {
  /// Keeps a key whose work is done, unless it is kept already; drops those that are too old.
  func keep(_ key: IdempotencyKey, subject: String?, now: Int64) throws(StoreFailure) {
    try run("DELETE FROM idempotency WHERE created <= ?", now - IdempotencyRecord.lifetime)
    try run(
      """
      INSERT INTO idempotency (token_id, key, request, body_sha256, created, subject) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (token_id, key) DO UPDATE SET subject = coalesce(subject, excluded.subject)
      """, key.token, key.text, key.request, key.bodySHA256, now, subject)
  }
}
