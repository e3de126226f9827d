import AssetPacks

/// What a release would do, without doing it.
package struct ReleasePreview: Sendable {
  package struct Pack: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let number: Int
    /// What is live on the track now; nil when nothing is.
    package let previousNumber: Int?
    package let downloadSize: Int64
    package let installSize: Int64
    /// `essential`, `prefetch` or `onDemand`.
    package let policy: String
  }

  package struct Device: Sendable {
    package let scope: ManifestScope
    package let cost: ReleaseCost
    package let checks: [DownloadAllowances.Check]
  }

  /// Something to know before the release.
  package struct Warning: Sendable, Equatable {
    /// The code of the refusal, or a name of its own.
    package let code: String
    package let description: String
    /// Whether the release would be refused because of it.
    package let refuses: Bool
  }

  package let track: Track
  package let packs: [Pack]
  /// Every scope that has a manifest before or afterwards.
  package let devices: [Device]
  package let warnings: [Warning]

  package var wouldBeRefused: Bool { warnings.contains(where: \.refuses) }
}
