import AssetPacks

/// Which version of each pack a request gets, and why.
package struct Explanation: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// It is live on the track.
    case live = "LIVE"
    /// The lane keeps it there.
    case lane = "LANE"
    /// A rollout has reached the client.
    case rolloutNew = "ROLLOUT_NEW"
    /// A rollout runs and has not reached the client.
    case rolloutPrevious = "ROLLOUT_PREVIOUS"
    /// The manifest for the platform does not list it.
    case otherPlatform = "OTHER_PLATFORM"
  }

  package struct Pack: Sendable, Equatable {
    package let assetPackIdentifier: String
    /// Nil when the request does not get the pack.
    package let number: Int?
    package let reason: Reason
    package let sentence: String
  }

  package let track: Track
  package let lane: String?
  package let scope: ManifestScope
  package let manifestURL: String
  /// Of the rollout that runs on the track.
  package let rolloutID: String?
  package let percent: Int?
  /// 0…99; nil without a rollout, or when nothing is known of the client.
  package let bucket: Int?
  /// Whether there is a manifest at all; without one the answer is 404.
  package let isServed: Bool
  /// By identifier.
  package let packs: [Pack]
}
