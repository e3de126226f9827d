import AssetPacks
import JSONText

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
  /// When its bytes were collected, in seconds since 1970; nil while they exist.
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

/// Which versions of a pack are wanted; nil does not narrow.
package struct VersionFilter: Sendable, Equatable {
  package var number: Int?
  package var state: VersionState?
  package var sha256: String?

  package init(number: Int? = nil, state: VersionState? = nil, sha256: String? = nil) {
    self.number = number
    self.state = state
    self.sha256 = sha256
  }

  /// The same as filters of a list.
  var filters: [Listing.Filter] {
    let wanted: [(String, JSONValue?)] = [
      ("version", number.map { .integer($0) }), ("state", state.map { .string($0.rawValue) }),
      ("sha256", sha256.map { .string($0) }),
    ]
    return wanted.compactMap { name, value in
      guard let value, let column = ListSchema.versions.columns.first(where: { $0.name == name }) else { return nil }
      return Listing.Filter(column, [value])
    }
  }
}

extension PackStore {
  /// How many versions are in each state; states that no version has are missing.
  package func versionCounts() throws(StoreFailure) -> [VersionState: Int] {
    try catalog.read { (connection) throws(StoreFailure) in
      let rows = try connection.rows("SELECT state, count(*) FROM versions GROUP BY state") {
        (row) throws(StoreFailure) in (try row.value(0, VersionState.self), row.number(1))
      }
      return Dictionary(rows, uniquingKeysWith: +)
    }
  }
}

extension ListSchema {

  /// The versions of a pack, the newest first.
  package static let versions = ListSchema(
    columns: [
      Column("version", "v.number", filter: .number, sorts: true),
      Column("state", "v.state", filter: .choice(of: VersionState.self)),
      Column("locale", "v.language", filter: .text),
      Column("platforms", "v.platforms", filter: platformNames, condition: onPlatforms),
      Column("sha256", "v.sha256", filter: .digest),
      Column("internalBetaRelease.state", state(on: .internal), filter: .choice(of: InternalBetaState.self)),
      Column("externalBetaRelease.state", state(on: .beta), filter: .choice(of: ExternalBetaState.self)),
      Column("appStoreRelease.state", state(on: .production), filter: .choice(of: ProductionState.self)),
      Column("createdDate", "v.created", sorts: true),
    ], source: "versions v", sequence: "v.seq", isNewestFirst: true)

  private static func state(on track: Track) -> String {
    "(SELECT state FROM releases WHERE version_id = v.id AND track = '\(track.rawValue)')"
  }

  private static let platformNames = FilterValues.choice(Platform.allCases.map { ($0.apiName, $0.rawValue) })

  /// A complete version without platforms is for all of them.
  private static let onPlatforms = """
    (v.platforms = '' OR EXISTS (
      SELECT 1 FROM json_each(?) WHERE instr(',' || v.platforms || ',', ',' || value || ',') > 0))
    """
}
