import AssetPacks

/// What came of a rollback.
package struct RollbackResult: Sendable, Equatable {
  package let track: Track
  package let assetPackIdentifier: String
  package let versionID: String
  /// The new number that the old bytes have now.
  package let number: Int
  /// The version whose bytes they are, as it was asked for.
  package let sourceNumber: Int
  /// What was live before.
  package let previousNumber: Int
  /// The release's state afterwards.
  package let state: String
  package let manifestURL: String
  /// Why the copies for a start without a catalog could not be written. The rollback itself stands.
  package let publicationFailure: StoreFailure?
}
