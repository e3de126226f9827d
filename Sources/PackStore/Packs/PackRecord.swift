/// An asset pack: a name whose bytes change from version to version.
package struct PackRecord: Sendable, Equatable {
  package let id: String
  package let appID: String
  /// The `assetPackID` of the packaging manifest.
  package let identifier: String
  package let archived: Bool
  /// The highest version number given so far; 0 before the first.
  package let lastVersion: Int
  /// Seconds since 1970.
  package let created: Int64
  /// What the pack counts for in the quota: the bytes of its largest eligible version.
  package let usedBytes: Int64
  /// The versions that are live on the three tracks.
  package let internalVersionID: String?
  package let externalVersionID: String?
  package let productionVersionID: String?
}
