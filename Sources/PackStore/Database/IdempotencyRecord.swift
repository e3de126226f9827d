/// What identifies a request with an `Idempotency-Key`.
package struct IdempotencyKey: Sendable, Equatable {
  /// The token that sends it: each token has keys of its own.
  package let token: String
  /// The key as sent, 1 to 255 bytes.
  package let text: String
  /// The method and the path.
  package let request: String
  /// The SHA-256 of the body, hexadecimal.
  package let bodySHA256: String

  package init(token: String, text: String, request: String, bodySHA256: String) {
    self.token = token
    self.text = text
    self.request = request
    self.bodySHA256 = bodySHA256
  }
}

/// A request whose work is done, and its answer.
package struct IdempotencyRecord: Sendable, Equatable {
  package let key: IdempotencyKey
  /// The id of the record that the work is about, when the store knows it.
  package let subject: String?
  /// Nil when the program ended between the work and its answer, or the answer may not be kept.
  package let answer: KeptAnswer?

  /// How long a key is kept, in seconds.
  package static let lifetime: Int64 = 24 * 3600
  /// The most keys that one token has at once.
  package static let keyLimit = 10_000
  /// The longest body of an answer that is kept, in bytes.
  package static let bodyLimit = 256 << 10
  /// How many answers are kept with their body: those of the newest keys.
  package static let keptBodies = 1000
}

/// An answer that a repeat gets.
package struct KeptAnswer: Sendable, Equatable {
  package let status: UInt16
  package let location: String?
  package let body: [UInt8]

  package init(status: UInt16, location: String?, body: [UInt8]) {
    self.status = status
    self.location = location
    self.body = body
  }
}

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

  /// Whether the token has reached its limit of keys.
  package func hasAllIdempotencyKeys(token: String) throws(StoreFailure) -> Bool {
    let oldest = now() - IdempotencyRecord.lifetime
    return try catalog.read { (connection) throws(StoreFailure) in
      let count = try connection.first(
        "SELECT count(*) FROM idempotency WHERE token_id = ? AND created > ?", token, oldest
      ) { $0.number(0) }
      return count ?? 0 >= IdempotencyRecord.keyLimit
    }
  }

  /// Stores the answer to a request whose work is done.
  ///
  /// - Parameter answer: nil when it may not be kept, or is too long to keep.
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

extension CatalogConnection {
  /// Stores a key whose work is done, unless it is stored already; drops expired ones.
  func keep(_ key: IdempotencyKey, subject: String?, now: Int64) throws(StoreFailure) {
    try run("DELETE FROM idempotency WHERE created <= ?", now - IdempotencyRecord.lifetime)
    try run(
      """
      INSERT INTO idempotency (token_id, key, request, body_sha256, created, subject) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (token_id, key) DO UPDATE SET subject = coalesce(subject, excluded.subject)
      """, key.token, key.text, key.request, key.bodySHA256, now, subject)
  }
}
