import AssetPacks
import SystemIO

/// How a store is opened.
package struct StoreOptions: Sendable {
  /// The state folder; created when missing.
  package var folder: String
  /// The beginning of every link in a manifest: `https://packs.example.com`.
  package var publicBaseURL: String
  /// The longest file that may be uploaded, in bytes.
  package var fileSizeLimit: Int64 = 8 << 30
  /// The part size that is wanted, in bytes; larger ones are used for files that would have over 10,000 parts.
  package var partSize: Int64 = 16 << 20
  /// Bytes of the folder's file system that uploads leave alone; 0 for none.
  package var freeSpace: Int64 = 0
  /// What each app may store that has no quota of its own.
  package var quota = Quota.preset
  /// What all apps together may store, in bytes; nil when only the disk limits it.
  package var serverQuota: Int64?
  /// How long versions that nobody needs are kept.
  package var retention = Retention()
  package var clock = WallClock.system
  /// Counts the manifests that are made, for those who want to see that a publish makes no more than it must.
  package var renders = RenderCount()
  /// False for a verb that works beside the running daemon: the catalog must be there and of this program's format.
  package var takesLock = true

  package init(folder: String, publicBaseURL: String) {
    self.folder = folder
    self.publicBaseURL = publicBaseURL
  }
}
