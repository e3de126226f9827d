import AssetPacks
import Digests
import SystemIO
import Values

/// An admin token, without its secret, which is shown once and never stored.
package struct TokenRecord: Sendable, Equatable {
  package let id: String
  package let name: String
  package let role: Role
  /// The only app that the token is for; nil for all.
  package let appID: String?
  // Seconds since 1970.
  package let created: Int64
  package let expires: Int64?
  /// To the hour, so that not every request writes to the catalog.
  package let lastUsed: Int64?
  package let revoked: Int64?

  /// Whether it is valid at `now`, in seconds since 1970.
  package func isGood(at now: Int64) -> Bool { revoked == nil && (expires.map { now < $0 } ?? true) }
}

/// A token that was just made, or that has a new secret.
package struct NewToken: Sendable, Equatable {
  package let record: TokenRecord
  /// `ph_` and 43 characters of base64url.
  package let secret: String
}

/// Whom a presented token identifies.
package struct TokenIdentity: Sendable, Equatable {
  /// The id of the token or of the API key.
  package let id: String
  package let name: String
  package let role: Role
  package let appID: String?

  package init(id: String, name: String, role: Role, appID: String?) {
    self.id = id
    self.name = name
    self.role = role
    self.appID = appID
  }
}

extension PackStore {
  /// Creates a token. Its secret is in the answer and nowhere else.
  ///
  /// - Parameters:
  ///   - app: the id of the only app that it is for; nil for all.
  ///   - expires: seconds since 1970; nil for never.
  package func createToken(
    name: String, role: Role, app: String? = nil, expires: Int64? = nil, actor: Actor
  ) throws(StoreFailure) -> NewToken {
    let id = try newID()
    let secret = try Self.newSecret()
    let record = try change(actor) { (change) throws(StoreFailure) in
      let owner = try app.map { (app) throws(StoreFailure) in try change.connection.app(app) }
      try change.connection.run(
        "INSERT INTO tokens (id, name, role, app_id, hash, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)", id, name,
        role, app, Self.hash(secret), change.now, expires)
      let scope = owner.map { "\(role.rawValue) of \($0.bundleID)" } ?? role.rawValue
      try change.audit("token.create", app: app, subject: .text(name), after: scope)
      return try change.connection.token(id)
    }
    return NewToken(record: record, secret: secret)
  }

  /// Whom the token identifies; nil when it is unknown, revoked or expired.
  ///
  /// Only its hash is looked up and compared, so the time it takes reveals nothing about any secret.
  package func verifyToken(_ secret: String) throws(StoreFailure) -> TokenIdentity? {
    let hash = Self.hash(secret)
    let now = now()
    let found = try catalog.read { (connection) throws(StoreFailure) in
      try connection.first(
        """
        SELECT id, hash FROM tokens WHERE hash = ?1
        UNION ALL SELECT token_id, hash FROM token_former_secrets WHERE hash = ?1 AND expires > ?2
        """, hash, now
      ) { row in
        let kept = row.bytes(1)
        return MessageAuthentication.areEqual(kept, hash) ? row.text(0) : nil
      }.flatMap { (id) throws(StoreFailure) in try id.map { (id) throws(StoreFailure) in try connection.token(id) } }
    }
    guard let found, found.isGood(at: now) else { return nil }
    noteUse(of: found.id, last: found.lastUsed, in: "tokens", now: now)
    return TokenIdentity(id: found.id, name: found.name, role: found.role, appID: found.appID)
  }

  /// Records the time of a use, to the hour: otherwise each request would wait for the disk.
  func noteUse(of id: String, last: Int64?, in table: StaticString, now: Int64) {
    guard last.map({ now - $0 >= 3600 }) ?? true else { return }
    try? catalog.write { (connection) throws(StoreFailure) in
      try connection.run("UPDATE \(table) SET last_used = ? WHERE id = ?", now, id)
    }
  }

  /// The token of that id.
  package func token(_ id: String) throws(StoreFailure) -> TokenRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.token(id) }
  }

  /// All tokens in order of creation, revoked ones included.
  package func tokens() throws(StoreFailure) -> [TokenRecord] {
    try catalog.read { (connection) throws(StoreFailure) in try connection.tokens("1 ORDER BY seq") }
  }

  /// The tokens in order of creation, revoked ones included; with `app`, only those for that app.
  package func tokens(app: String?, page: PageRequest) throws(StoreFailure) -> Page<TokenRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      let ids = try connection.rows(
        "SELECT seq, id FROM tokens WHERE (?1 IS NULL OR app_id = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3", app,
        page.after ?? 0, page.limit + 1
      ) { ($0.integer(0), $0.text(1)) }
      let total = try connection.first("SELECT count(*) FROM tokens WHERE ?1 IS NULL OR app_id = ?1", app) {
        $0.number(0)
      }
      var rows: [(seq: Int64, item: TokenRecord)] = []
      for (seq, id) in ids { rows.append((seq, try connection.token(id))) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// Invalidates a token with all of its secrets. Doing it twice is harmless.
  package func revokeToken(_ id: String, actor: Actor) throws(StoreFailure) -> TokenRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let token = try change.connection.token(id)
      if token.revoked != nil { return token }
      try change.connection.run("UPDATE tokens SET revoked = ? WHERE id = ?", change.now, id)
      try change.connection.run("DELETE FROM token_former_secrets WHERE token_id = ?", id)
      try change.audit("token.revoke", app: token.appID, subject: .text(token.name))
      return try change.connection.token(id)
    }
  }

  /// Gives a token a new secret; the former one stays valid for `overlap` seconds.
  ///
  /// - Returns: the token with its new secret, and until when the old one is valid; nil when it no longer is.
  /// - Throws: `notFound`, `stateNotAllowed` when the token was revoked or has expired.
  package func rotateToken(
    _ id: String, overlap: Int64, actor: Actor
  ) throws(StoreFailure) -> (token: NewToken, formerExpires: Int64?) {
    let secret = try Self.newSecret()
    let (record, end) = try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let token = try connection.token(id)
      guard token.isGood(at: change.now) else {
        throw .stateNotAllowed(
          subject: "The token \(token.name)", state: token.revoked == nil ? "expired" : "revoked", move: "a new secret",
          legalMoves: [])
      }
      try connection.run("DELETE FROM token_former_secrets WHERE expires <= ?", change.now)
      let end = overlap > 0 ? change.now.addingReportingOverflow(overlap).partialValue : change.now
      if end > change.now {
        try connection.run("INSERT INTO token_former_secrets SELECT hash, id, ? FROM tokens WHERE id = ?", end, id)
      }
      try connection.run("UPDATE tokens SET hash = ? WHERE id = ?", Self.hash(secret), id)
      try change.audit(
        "token.rotate", app: token.appID, subject: .text(token.name),
        after: "the former secret is good for \(overlap) seconds"
      )
      return (try connection.token(id), end > change.now ? end : nil)
    }
    return (NewToken(record: record, secret: secret), end)
  }

  /// `ph_` and 43 characters that nobody can guess.
  private static func newSecret() throws(StoreFailure) -> String {
    "ph_\(Base64URL.encode(try random(try secureRandomBytes(32))))"
  }

  private static func hash(_ secret: String) -> [UInt8] { Digest.sha256(Array(secret.utf8)) }
}

extension CatalogConnection {
  func token(_ id: String) throws(StoreFailure) -> TokenRecord {
    guard let found = try tokens("id = ?1", id).first else { throw .notFound(kind: .token, name: id) }
    return found
  }

  func tokens(_ condition: String, _ values: any SQLBindable...) throws(StoreFailure) -> [TokenRecord] {
    try rows(
      "SELECT id, name, role, app_id, created, expires, last_used, revoked FROM tokens WHERE \(condition)", values
    ) { (row) throws(StoreFailure) in
      TokenRecord(
        id: row.text(0), name: row.text(1), role: try row.value(2), appID: row.optionalText(3),
        created: row.integer(4), expires: row.optionalInteger(5), lastUsed: row.optionalInteger(6),
        revoked: row.optionalInteger(7))
    }
  }
}
