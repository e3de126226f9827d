import AssetPacks

/// An app's quota and what is used of it, in bytes.
package struct QuotaUsage: Sendable, Equatable {
  package let quota: Quota
  /// Whether the app has a quota of its own, and not the configuration's.
  package let isOwn: Bool
  package let used: Int64
  /// Uploads in flight, in full.
  package let reserved: Int64
  /// What a collection would free, grace or not.
  package let reclaimable: Int64
  /// Packs that are not archived.
  package let packs: Int
  /// Bytes on the disk of the app's versions, each blob once. Blobs that another app has too are among them.
  package let stored: Int64
}

/// What all apps use together, in bytes.
package struct ServerUsage: Sendable, Equatable {
  package let used: Int64
  package let reserved: Int64
  package let reclaimable: Int64
  /// Bytes of all blobs on the disk.
  package let stored: Int64
  /// Nil when only the disk limits it.
  package let limit: Int64?
  package let apps: Int
  package let packs: Int
}

/// What the metrics tell of quotas.
package struct QuotaReading: Sendable, Equatable {
  package let bundleID: String
  package let used: Int64
  package let reserved: Int64
  package let limit: Int
  package let packs: Int
  package let packLimit: Int

  package init(bundleID: String, used: Int64, reserved: Int64, limit: Int, packs: Int, packLimit: Int) {
    self.bundleID = bundleID
    self.used = used
    self.reserved = reserved
    self.limit = limit
    self.packs = packs
    self.packLimit = packLimit
  }
}
