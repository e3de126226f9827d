/// The kinds of entry that a pack may hold.
package enum ArchiveEntryType: String, Sendable, Equatable {
  case file, directory, link
}

/// A point in time as entries store it: seconds and nanoseconds since 1970-01-01T00:00:00Z.
package struct ArchiveTime: Sendable, Equatable {
  package let seconds: Int64
  /// 0 … 999,999,999.
  package let nanoseconds: UInt32

  package init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = min(nanoseconds, 999_999_999)
  }
}

/// One file, directory or symbolic link of an archive.
package struct ArchiveEntry: Sendable, Equatable {
  /// Checked and without a leading `./`; empty for the root itself.
  package let path: ArchivePath
  package let type: ArchiveEntryType
  /// Bytes of the file's data; 0 for directories and links.
  package let size: Int64
  /// The nine permission bits, when the archive has them.
  package let mode: UInt16?
  /// What a link points to; it stays inside the pack.
  package let linkTarget: ArchivePath?
  /// When the content last changed, when the archive says so.
  package let modified: ArchiveTime?
}
