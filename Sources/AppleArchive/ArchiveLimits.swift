/// How much an archive may ask of its reader. Limits are absolute, not ratios: LZFSE turns 256 MiB of zeros into 168
/// KB, so a ratio would refuse honest packs and let large ones through.
package struct ArchiveLimits: Sendable {
  /// Entries, and distinct paths with the folders that entries only imply.
  package var entries = 1_000_000
  /// Bytes of all entry headers together.
  package var headerBytes = 512 << 20
  /// Bytes of the decoded entry stream: headers, files and attributes.
  package var decodedBytes: Int64 = 8 << 30
  /// Bytes of one entry's extended attributes, and of its access control list.
  package var attributeBytes = 16 << 20
  /// The largest block size that a container may announce, in bytes.
  package var blockSize = 64 << 20
  /// Fields in one entry header; Apple's tools write about a dozen.
  package var fieldsPerHeader = 256
  /// Bytes of one path.
  package var pathBytes = 1023
  /// Bytes of one component of a path.
  package var componentBytes = 255
  /// Components of one path.
  package var pathDepth = 64
  /// Warnings that are kept; the rest are only counted.
  package var warnings = 1000
  /// Bytes of a packaging manifest that are kept.
  package var manifestBytes = 1 << 20
  /// Asked once per block and every few entries; true ends the work with `deadlineExpired`.
  package var isExpired: @Sendable () -> Bool = { false }

  package init() {}
}
