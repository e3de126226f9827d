import AssetPacks

/// All that delivery serves, as of one moment.
package struct LiveState: Sendable, Equatable {
  package struct App: Sendable, Equatable {
    package let id: String
    package let bundleID: String
    package let domainAllowList: [String]
    /// A track and scope without a record has never been published.
    package let manifests: [ManifestRecord]
    /// Every version that is or ever was live on a track and whose bytes are there, since devices keep manifests.
    package let versions: [Version]
  }

  package struct Version: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let number: Int
    package let sha256: String
    /// The blob's length in bytes.
    package let size: Int64
    /// Seconds since 1970: when the version was made; its `Last-Modified`.
    package let created: Int64
    /// Whether it is live on any track now.
    package let isLive: Bool
  }

  /// By bundle id.
  package let apps: [App]
}
