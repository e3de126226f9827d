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
}

/// A token that was just made.
package struct NewToken: Sendable, Equatable {
  package let record: TokenRecord
  /// `ph_` and 43 characters of base64url.
  package let secret: String
}

/// Whom a shown token stands for.
package struct TokenIdentity: Sendable, Equatable {
  package let id: String
  package let name: String
  package let role: Role
  package let appID: String?
}
