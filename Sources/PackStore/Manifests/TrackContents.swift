import AssetPacks

/// What is live on one track of an app.
package struct TrackContents: Sendable, Equatable {
  package struct Pack: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let versionID: String
    package let number: Int
    /// The release's state: `READY_FOR_TESTING` or `READY_FOR_DISTRIBUTION`.
    package let state: String
    package let downloadSize: Int64
    package let sha256: String
    package let url: String
  }

  package let track: Track
  package let manifestURL: String
  /// By identifier.
  package let packs: [Pack]
}
