/// What the configuration says about who gets in.
package struct AuthenticationRules: Sendable, Equatable {
  /// What `aud` of a signed token must be.
  package var audience = "appstoreconnect-v1"
  /// Seconds that the former secret of a token stays good when a rotation does not say.
  package var rotationOverlap: Int64 = 86_400
  /// How many failed attempts of one address in a row are answered at once.
  package var failures = 20
  /// Seconds after which one more is.
  package var failurePause: Int64 = 5

  package init() {}
}
