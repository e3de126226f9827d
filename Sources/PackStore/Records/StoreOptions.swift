import SystemIO

/// How a store is opened.
package struct StoreOptions: Sendable {
  /// The state folder; created when missing.
  package var folder: String
  /// The beginning of every link in a manifest: `https://packs.example.com`, without a slash at the end.
  package var publicBaseURL: String
  /// The longest file that may be uploaded, in bytes.
  package var fileSizeLimit: Int64 = 8 << 30
  /// The part size that is wanted, in bytes; larger ones are used for files that would have over 10,000 parts.
  package var partSize: Int64 = 16 << 20
  /// Bytes of all packs of an app.
  package var quotaBytes: Int64 = 200_000_000_000
  /// Packs of an app.
  package var quotaPacks = 200
  package var clock = WallClock.system
  /// False for a verb that works beside the running daemon: the catalog must be there and of this program's format.
  package var takesLock = true

  package init(folder: String, publicBaseURL: String) {
    self.folder = folder
    self.publicBaseURL = publicBaseURL
  }
}
