/// What a collection did, or would do.
package struct CollectionReport: Sendable, Equatable {
  package struct Version: Sendable, Equatable {
    package let bundleID: String
    package let assetPackIdentifier: String
    package let number: Int
    /// The archive's length in bytes.
    package let size: Int64
    /// When its bytes may go, seconds since 1970.
    package let due: Int64
  }

  /// Past retention, and still served until they are due.
  package var waiting: [Version] = []
  /// Their bytes were given up now.
  package var collected: [Version] = []
  /// Blobs that were removed because nothing needs them any more.
  package var removedBlobs = 0
  /// Their bytes. The disk has them back when the last download of them ends.
  package var freedBytes: Int64 = 0
  /// Files among them that the catalog knew nothing of: left by uploads that failed at the very end.
  package var strayBlobs = 0
}
