import AssetPacks

/// Which packs a manifest lists: those of one platform, or all.
package enum ManifestScope: Hashable, Sendable, Comparable {
  case all
  case platform(Platform)

  /// `all`, or the platform in the packaging manifest's spelling.
  package var name: String {
    switch self {
    case .all: "all"
    case .platform(let platform): platform.rawValue
    }
  }

  package init?(name: String) {
    if name == "all" {
      self = .all
    } else if let platform = Platform(rawValue: name) {
      self = .platform(platform)
    } else {
      return nil
    }
  }

  /// `all` first, then the platforms by name.
  package static var allScopes: [ManifestScope] { [.all] + Platform.allCases.sorted().map { .platform($0) } }

  package static func < (a: ManifestScope, b: ManifestScope) -> Bool {
    if case .all = a { return b != .all }
    if case .all = b { return false }
    return a.name < b.name
  }
}

/// A published manifest: exactly the bytes that devices get.
package struct ManifestRecord: Sendable, Equatable {
  package let track: Track
  package let scope: ManifestScope
  /// Rises with each change of the bytes, from 1.
  package let generation: Int
  package let bytes: [UInt8]
  /// Of the bytes; 64 lower-case hexadecimal digits.
  package let sha256: String
  /// Seconds since 1970.
  package let published: Int64
  package var variant = ManifestVariant.base
}

/// Which of a track's manifests for one scope: a track has more than one while it has lanes or a running rollout.
package struct ManifestVariant: Hashable, Sendable {
  /// Whether it is for the clients that a rollout has reached.
  package enum Side: String, Sendable, CaseIterable {
    case current, new
  }

  /// Nil for the track itself.
  package let lane: String?
  package let side: Side

  /// What everybody gets without a lane and a rollout.
  package static let base = ManifestVariant(lane: nil, side: .current)

  package init(lane: String?, side: Side) {
    self.lane = lane
    self.side = side
  }

  /// For the audit log: empty for the base.
  var suffix: String { (lane.map { " lane \($0)" } ?? "") + (side == .new ? " rollout" : "") }
}

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
