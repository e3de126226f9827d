import AssetPacks

/// All that delivery serves, as of one moment.
package struct LiveState: Sendable, Equatable {
  package struct App: Sendable, Equatable {
    /// A rollout that runs on a track.
    package struct Rollout: Sendable, Equatable {
      package let track: Track
      /// 0…100.
      package let percent: Int
      package let salt: UInt64

      package init(track: Track, percent: Int, salt: UInt64) {
        self.track = track
        self.percent = percent
        self.salt = salt
      }
    }

    package let id: String
    package let bundleID: String
    package let domainAllowList: [String]
    /// A track and scope without a record has never been published. Those of lanes and rollouts are among them.
    package let manifests: [ManifestRecord]
    /// Every version that is or ever was live on a track and whose bytes are there, since devices keep manifests.
    package let versions: [Version]
    package var rollouts: [Rollout] = []
    /// Rises with each change of all this; no part of what is served. 0 when it is not known.
    package var revision: Int64 = 0

    package static func == (a: App, b: App) -> Bool {
      a.id == b.id && a.bundleID == b.bundleID && a.domainAllowList == b.domainAllowList
        && a.manifests == b.manifests && a.versions == b.versions && a.rollouts == b.rollouts
    }
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
    /// Its bytes are known to be damaged: they are refused until they are put right.
    package var isDamaged = false
  }

  /// By bundle id.
  package let apps: [App]
}
