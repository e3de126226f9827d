import AssetPacks

/// One version of a pack.
package struct VersionRecord: Sendable, Equatable {
  package let id: String
  package let packID: String
  package let appID: String
  package let assetPackIdentifier: String
  /// Given by the store; rises from version to version and is never used twice.
  package let number: Int
  package let state: VersionState
  /// Empty means every platform once the version is complete.
  package let platforms: [Platform]
  /// The language of a localized pack, BCP-47.
  package let language: String?
  package private(set) var messages: [VersionMessage]
  /// The bytes that the upload announced; nil before one is reserved.
  package let fileSize: Int64?
  /// The archive's length, once complete.
  package let downloadSize: Int64?
  /// The length of what it unpacks to, once complete.
  package let installSize: Int64?
  package let sha256: String?
  /// The download policy as JSON text, once complete.
  package let policy: String?
  /// The packaging manifest's `userInfo` as JSON text.
  package let userInfo: String?
  /// Seconds since 1970.
  package let created: Int64
  package let internalState: InternalBetaState?
  package let externalState: ExternalBetaState?
  package let productionState: ProductionState?
  /// The ids of the three releases, which a complete version has.
  package let internalReleaseID: String?
  package let externalReleaseID: String?
  package let productionReleaseID: String?
  /// The upload of its archive; nil before one is reserved.
  package let uploadID: String?
  /// When its bytes were given up, seconds since 1970; nil while they are there.
  package let collected: Int64?

  /// The same version, with what was found in it.
  func with(_ messages: [VersionMessage]) -> VersionRecord {
    var version = self
    version.messages = messages
    return version
  }
}

/// A line of a version's `stateDetails`.
package struct VersionMessage: Sendable, Equatable {
  package enum Level: String, Sendable {
    case error, warning, info
  }

  package let level: Level
  package let code: String
  package let description: String

  package init(_ level: Level, code: String, description: String) {
    self.level = level
    self.code = code
    self.description = description
  }
}
