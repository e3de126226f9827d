import AssetPacks

/// A lane: a manifest of a track in which some packs stay at a version.
package struct LaneRecord: Sendable, Equatable {
  package struct Pin: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let versionID: String
    package let number: Int
  }

  package let id: String
  package let appID: String
  package let track: Track
  package let name: String
  /// By identifier.
  package let pins: [Pin]
  package let manifestURL: String
  /// Seconds since 1970.
  package let created: Int64
  package let changed: Int64
}

/// What is to become of a pack in a lane.
package struct LanePin: Sendable, Equatable {
  package let assetPackIdentifier: String
  /// Nil lets the pack follow the track again.
  package let number: Int?

  package init(_ assetPackIdentifier: String, number: Int?) {
    self.assetPackIdentifier = assetPackIdentifier
    self.number = number
  }
}

/// What came of a change of a lane.
package struct LaneResult: Sendable, Equatable {
  package let lane: LaneRecord
  /// Why the copies for a start without a catalog could not be written. The change itself stands.
  package let publicationFailure: StoreFailure?
}
