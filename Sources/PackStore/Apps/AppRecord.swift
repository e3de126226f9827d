import AssetPacks

/// An app whose packs are delivered.
package struct AppRecord: Sendable, Equatable {
  package let id: String
  package let bundleID: String
  package let name: String
  package let reviewPolicy: ReviewPolicy
  /// The patterns of `BADownloadDomainAllowList`, in the order given.
  package let domainAllowList: [String]
  /// Seconds since 1970.
  package let created: Int64
}
