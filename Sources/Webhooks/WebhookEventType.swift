/// What a webhook can tell of. The first four are App Store Connect's.
package enum WebhookEventType: String, CaseIterable, Sendable {
  case versionStateUpdated = "BACKGROUND_ASSET_VERSION_STATE_UPDATED"
  case internalReleaseCreated = "BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED"
  case externalReleaseStateUpdated = "BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED"
  case appStoreReleaseStateUpdated = "BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED"
  /// A newer version took the place of one on a track.
  case releaseSuperseded = "BACKGROUND_ASSET_VERSION_RELEASE_SUPERSEDED"
  case packArchived = "BACKGROUND_ASSET_ARCHIVED"
  case packRestored = "BACKGROUND_ASSET_RESTORED"
  case rolloutChanged = "ROLLOUT_CHANGED"
  case quotaThresholdReached = "QUOTA_THRESHOLD_REACHED"
  /// A version or a release has not left a state in time.
  case stateStuck = "STATE_STUCK"
  /// Somebody wants to see whether the receiver answers. Goes to every webhook that is pinged.
  case ping = "WEBHOOK_PING"

  /// Those that a webhook can be made for.
  package static let selectable = allCases.filter { $0 != .ping }

  /// The `type` of the payload: `backgroundAssetVersionStateUpdated`.
  package var payloadType: String {
    let words = rawValue.split(separator: "_").map { $0.lowercased() }
    return words.enumerated().map {
      $0.offset == 0 ? $0.element : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
    }
    .joined()
  }
}
