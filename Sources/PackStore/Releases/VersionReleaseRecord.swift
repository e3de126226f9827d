import AssetPacks

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
