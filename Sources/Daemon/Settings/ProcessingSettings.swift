import AppleArchive
import Processing

/// How much the processor may use for one archive.
package struct ProcessingSettings: Sendable, Equatable {
  /// Entries of an archive.
  package var entries = 0
  /// Bytes that an archive may unpack to.
  package var decodedBytes: Int64 = 0
  /// Bytes of a compressed block.
  package var blockSize = 0
  /// Seconds for one archive.
  package var time: Int64 = 0

  var limits: ProcessingLimits {
    var archive = ArchiveLimits()
    archive.entries = entries
    archive.decodedBytes = decodedBytes
    archive.blockSize = blockSize
    return ProcessingLimits(archive: archive, seconds: time)
  }
}
