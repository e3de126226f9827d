import AssetPacks

/// A staged rollout: new versions of some packs for a part of a track's clients.
package struct RolloutRecord: Sendable, Equatable {
  package struct Pack: Sendable, Equatable {
    package let packID: String
    package let assetPackIdentifier: String
    package let versionID: String
    package let number: Int
    /// What the others get.
    package let previousID: String
    package let previousNumber: Int
  }

  package let id: String
  package let appID: String
  package let track: Track
  package let state: RolloutState
  /// 0…100. Never falls.
  package let percent: Int
  /// Salts the choice of every client's bucket.
  package let salt: UInt64
  /// By identifier.
  package let packs: [Pack]
  /// Seconds since 1970.
  package let created: Int64
  package let changed: Int64
}

extension ListSchema {
  /// The rollouts of an app, the newest first.
  package static let rollouts = ListSchema(
    columns: [
      Column("track", "o.track", filter: .choice(of: Track.self)),
      Column("state", "o.state", filter: .choice(of: RolloutState.self)),
      Column("createdDate", "o.created", sorts: true),
    ], source: "rollouts o", sequence: "o.seq", isNewestFirst: true)

}
