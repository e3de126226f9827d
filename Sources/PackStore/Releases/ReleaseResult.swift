import AssetPacks

/// A pack that is to go live.
package struct ReleaseItem: Sendable, Equatable {
  package let assetPackIdentifier: String
  /// Nil takes the newest complete version.
  package let number: Int?

  package init(_ assetPackIdentifier: String, number: Int? = nil) {
    self.assetPackIdentifier = assetPackIdentifier
    self.number = number
  }
}

/// The result of a release.
package struct ReleaseResult: Sendable, Equatable {
  package struct Pack: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let versionID: String
    package let number: Int
    /// The release's state afterwards.
    package let state: String
    /// What was live on the track before; nil when nothing was.
    package let previousNumber: Int?
  }

  package let track: Track
  package let packs: [Pack]
  package let manifestURL: String
}

/// One of the three releases of a version.
package struct VersionReleaseRecord: Sendable, Equatable {
  package let id: String
  package let versionID: String
  package let appID: String
  package let track: Track
  /// A state of the track's kind of release.
  package let state: String
}

extension VersionRecord {
  /// Its release on a track; nil before it is complete.
  package func release(on track: Track) -> VersionReleaseRecord? {
    let found =
      switch track {
      case .internal: (internalReleaseID, internalState?.rawValue)
      case .beta: (externalReleaseID, externalState?.rawValue)
      case .production: (productionReleaseID, productionState?.rawValue)
      }
    guard let id = found.0, let state = found.1 else { return nil }
    return VersionReleaseRecord(id: id, versionID: self.id, appID: appID, track: track, state: state)
  }
}
