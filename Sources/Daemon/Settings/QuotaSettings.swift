import AssetPacks

/// The configuration's quota for apps without one of their own.
package struct QuotaSettings: Sendable, Equatable {
  package var preset = QuotaPreset.apple
  /// Nil takes the preset's.
  package var bytes: Int?
  package var packs: Int?
  /// Whether what does not fit is refused.
  package var isEnforced = false

  /// The preset, with the numbers that differ; then it is called custom.
  package var quota: Quota {
    let named = Quota(preset)
    var quota = named
    if let bytes { quota.maximumBytes = bytes }
    if let packs { quota.maximumPacks = packs }
    if quota != named { quota.preset = .custom }
    quota.isEnforced = isEnforced
    return quota
  }
}
