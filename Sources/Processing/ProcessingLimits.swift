import AppleArchive

/// How much one archive may use.
package struct ProcessingLimits: Sendable {
  /// What the reader accepts.
  package var archive: ArchiveLimits
  /// Seconds for one archive.
  package var seconds: Int64

  package init(archive: ArchiveLimits, seconds: Int64) {
    self.archive = archive
    self.seconds = seconds
  }
}
