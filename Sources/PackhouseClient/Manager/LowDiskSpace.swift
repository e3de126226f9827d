/// A download needs room that only packs in use could give.
public struct LowDiskSpace: Sendable, Equatable {
  /// The pack that does not fit.
  public let assetPackID: String
}
