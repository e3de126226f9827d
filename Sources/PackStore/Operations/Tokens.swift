import AssetPacks
import Digests
import SystemIO

extension PackStore {
  /// Makes a token. Its secret is in the answer and nowhere else.
  ///
  /// - Parameters:
  ///   - app: the id of the only app that it is for; nil for all.
  ///   - expires: seconds since 1970; nil for never.
  package func createToken(
    name: String, role: Role, app: String? = nil, expires: Int64? = nil, actor: Actor
  ) throws(StoreFailure) -> NewToken {
    let id = try newID()
    let random: [UInt8]
    do throws(SystemFailure) { random = try secureRandomBytes(32) } catch { throw .system(error) }
    let secret = "ph_\(base64url(random))"
    let record = try change(actor) { (change) throws(StoreFailure) in
      if let app { _ = try change.connection.app(app) }
      try change.connection.run(
        "INSERT INTO tokens (id, name, role, app_id, hash, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          SQLValue(id), SQLValue(name), SQLValue(role), SQLValue(app), SQLValue(hash(secret)), SQLValue(change.now),
          SQLValue(expires),
        ])
      try change.audit("token.create", app: app, subject: name, after: role.rawValue)
      return try change.connection.token(id)
    }
    return NewToken(record: record, secret: secret)
  }

  /// Whom the token stands for; nil when it is unknown, revoked or expired.
  ///
  /// Only its hash is looked up and compared, so the time that it takes tells nothing about any secret.
  package func verifyToken(_ secret: String) throws(StoreFailure) -> TokenIdentity? {
    let hash = hash(secret)
    let now = now()
    let found = try catalog.read { (connection) throws(StoreFailure) in
      try connection.first("SELECT id, hash FROM tokens WHERE hash = ?", [SQLValue(hash)]) { row in
        let kept = row.bytes(1)
        return MessageAuthentication.areEqual(kept, hash) ? row.text(0) : nil
      }.flatMap { (id) throws(StoreFailure) in try id.map { (id) throws(StoreFailure) in try connection.token(id) } }
    }
    guard let found, found.revoked == nil, found.expires.map({ now < $0 }) ?? true else { return nil }
    // To the hour: a write for each request would cost a wait for the disk each.
    if found.lastUsed.map({ now - $0 >= 3600 }) ?? true {
      try? catalog.write { (connection) throws(StoreFailure) in
        try connection.run("UPDATE tokens SET last_used = ? WHERE id = ?", [SQLValue(now), SQLValue(found.id)])
      }
    }
    return TokenIdentity(id: found.id, name: found.name, role: found.role, appID: found.appID)
  }

  /// All tokens in the order of their making, the revoked ones too.
  package func tokens() throws(StoreFailure) -> [TokenRecord] {
    try catalog.read { (connection) throws(StoreFailure) in try connection.tokens("1 ORDER BY seq", []) }
  }

  /// Makes a token worthless from now on. Doing it twice is harmless.
  package func revokeToken(_ id: String, actor: Actor) throws(StoreFailure) -> TokenRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let token = try change.connection.token(id)
      if token.revoked != nil { return token }
      try change.connection.run("UPDATE tokens SET revoked = ? WHERE id = ?", [SQLValue(change.now), SQLValue(id)])
      try change.audit("token.revoke", app: token.appID, subject: token.name)
      return try change.connection.token(id)
    }
  }

  private func hash(_ secret: String) -> [UInt8] { Digest.sha256(Array(secret.utf8)) }
}

extension Connection {
  func token(_ id: String) throws(StoreFailure) -> TokenRecord {
    guard let found = try tokens("id = ?1", [SQLValue(id)]).first else { throw .notFound(kind: .token, name: id) }
    return found
  }

  func tokens(_ condition: String, _ values: [SQLValue]) throws(StoreFailure) -> [TokenRecord] {
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
