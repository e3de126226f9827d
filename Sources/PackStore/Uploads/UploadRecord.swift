import AssetPacks

/// A file that is being uploaded for a version.
package struct UploadRecord: Sendable, Equatable {
  package let id: String
  package let versionID: String
  /// `ASSET` or `MANIFEST`.
  package let assetType: String
  package let fileName: String
  package let layout: PartLayout
  package let state: UploadFileState
  /// The SHA-256 that the client gave with the commit, hexadecimal.
  package let declaredSHA256: String?
  /// The entity tags of the parts that have arrived, by part number (from 1).
  package let received: [Int: String]
  /// Seconds since 1970.
  package let created: Int64

  /// The whole file's length in bytes.
  package var fileSize: Int64 { layout.fileSize }

  /// The numbers of the parts that have not arrived, rising.
  package var missingParts: [Int] { layout.numbers.filter { received[$0] == nil } }
}
