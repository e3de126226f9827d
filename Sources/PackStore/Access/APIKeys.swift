import AssetPacks
import SystemIO

/// A public key whose owner signs short-lived tokens.
package struct APIKeyRecord: Sendable, Equatable {
  /// The `kid` of its tokens: ten letters and digits.
  package let id: String
  package let name: String
  package let role: Role
  /// The only app that it is for; nil for all.
  package let appID: String?
  /// A P-256 key as PEM (`BEGIN PUBLIC KEY`).
  package let publicKey: String
  /// What `iss` of its tokens must be; nil accepts any.
  package let issuer: String?
  // Seconds since 1970.
  package let created: Int64
  /// To the hour.
  package let lastUsed: Int64?
  package let revoked: Int64?
}

extension PackStore {
  /// Registers a public key. `publicKey` must have been checked: the store keeps the text as it is.
  ///
  /// - Parameter app: the id of the only app that it is for; nil for all.
  package func createAPIKey(
    name: String, role: Role, app: String? = nil, publicKey: String, issuer: String? = nil, actor: Actor
  ) throws(StoreFailure) -> APIKeyRecord {
    let id = try Self.newKeyID()
    return try change(actor) { (change) throws(StoreFailure) in
      let owner = try app.map { (app) throws(StoreFailure) in try change.connection.app(app) }
      try change.connection.run(
        "INSERT INTO api_keys (id, name, role, app_id, public_key, issuer, created) VALUES (?, ?, ?, ?, ?, ?, ?)", id,
        name, role, app, publicKey, issuer, change.now)
      let scope = owner.map { "\(role.rawValue) of \($0.bundleID)" } ?? role.rawValue
      try change.audit("apiKey.create", app: app, subject: .text("\(name) (\(id))"), after: scope)
      return try change.connection.apiKey(id)
    }
  }

  /// The key of that id, revoked or not.
  package func apiKey(_ id: String) throws(StoreFailure) -> APIKeyRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.apiKey(id) }
  }

  /// The key of that id as long as it is good; nil otherwise.
  package func goodAPIKey(_ id: String) throws(StoreFailure) -> APIKeyRecord? {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.apiKeys("id = ? AND revoked IS NULL", id).first?.item
    }
  }

  /// Records, to the hour, when a token signed with the key was last accepted.
  package func noteUse(of key: APIKeyRecord) { noteUse(of: key.id, last: key.lastUsed, in: "api_keys", now: now()) }

  /// The keys in order of creation, revoked ones included; with `app`, only those for that app.
  package func apiKeys(app: String?, page: PageRequest) throws(StoreFailure) -> Page<APIKeyRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      let rows = try connection.apiKeys(
        "(?1 IS NULL OR app_id = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3", app, page.after ?? 0, page.limit + 1)
      let total = try connection.first("SELECT count(*) FROM api_keys WHERE ?1 IS NULL OR app_id = ?1", app) {
        $0.number(0)
      }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// Invalidates all tokens of a key. Doing it twice is harmless.
  package func revokeAPIKey(_ id: String, actor: Actor) throws(StoreFailure) {
    try change(actor) { (change) throws(StoreFailure) in
      let key = try change.connection.apiKey(id)
      if key.revoked != nil { return }
      try change.connection.run("UPDATE api_keys SET revoked = ? WHERE id = ?", change.now, id)
      try change.audit("apiKey.revoke", app: key.appID, subject: .text("\(key.name) (\(id))"))
    }
  }

  /// Ten letters and digits, like App Store Connect's key ids; without characters that are easily confused.
  private static func newKeyID() throws(StoreFailure) -> String {
    let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    return String(decoding: try random(try secureRandomBytes(10)).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
  }
}

extension CatalogConnection {
  func apiKey(_ id: String) throws(StoreFailure) -> APIKeyRecord {
    guard let found = try apiKeys("id = ?", id).first else { throw .notFound(kind: .apiKey, name: id) }
    return found.item
  }

  func apiKeys(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: APIKeyRecord)] {
    try rows(
      """
      SELECT seq, id, name, role, app_id, public_key, issuer, created, last_used, revoked FROM api_keys
      WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = APIKeyRecord(
        id: row.text(1), name: row.text(2), role: try row.value(3), appID: row.optionalText(4),
        publicKey: row.text(5), issuer: row.optionalText(6), created: row.integer(7),
        lastUsed: row.optionalInteger(8), revoked: row.optionalInteger(9))
      return (row.integer(0), record)
    }
  }
}
