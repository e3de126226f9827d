import AssetPacks

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
