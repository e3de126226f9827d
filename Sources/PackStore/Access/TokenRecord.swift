import AssetPacks

/// An admin token, without its secret, which is shown once and kept nowhere.
package struct TokenRecord: Sendable, Equatable {
  package let id: String
  package let name: String
  package let role: Role
  /// The only app that the token is for; nil for all.
  package let appID: String?
  // Seconds since 1970.
  package let created: Int64
  package let expires: Int64?
  /// To the hour, so that reading does not write for each request.
  package let lastUsed: Int64?
  package let revoked: Int64?

  /// Whether it is good at `now`, in seconds since 1970.
  package func isGood(at now: Int64) -> Bool { revoked == nil && (expires.map { now < $0 } ?? true) }
}

/// A token that was just made, or that has a new secret.
package struct NewToken: Sendable, Equatable {
  package let record: TokenRecord
  /// `ph_` and 43 characters of base64url.
  package let secret: String
}

/// Whom a shown token stands for.
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
