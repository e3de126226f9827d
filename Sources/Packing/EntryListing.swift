import AppleArchive
import JSONText

/// The entries of an archive without their content; reads the whole archive, but hashes nothing.
package struct EntryListing: Sendable {
  package let entries: [ArchiveEntry]

  /// Reads `file` to its end.
  package init(_ file: ArchiveFile, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveFailure) {
    var visitor = ListingVisitor()
    var reader = try ArchiveReader(ArchiveFileSource(file), limits: limits)
    try reader.read(&visitor)
    entries = visitor.entries
  }

  /// One path on each line, escaped; folders end with a slash.
  package var text: String {
    entries.map { "\($0.path.wholeEscaped)\($0.type == .directory && !$0.path.isRoot ? "/" : "")\n" }.joined()
  }

  /// The paths as they stand in the archive.
  package var json: JSONValue {
    [
      "entries": .array(
        entries.map { entry in
          let type =
            switch entry.type {
            case .file: "file"
            case .directory: "directory"
            case .link: "symlink"
            }
          return ["path": .string(entry.path.text), "type": .string(type), "size": .integer(entry.size)]
        })
    ]
  }
}

private struct ListingVisitor: ArchiveVisitor {
  var entries: [ArchiveEntry] = []

  mutating func container(_ container: ArchiveContainer) {}
  mutating func entry(_ entry: ArchiveEntry) { entries.append(entry) }
  mutating func fileBytes(_ bytes: UnsafeRawBufferPointer) {}
  mutating func fileEnd() {}
}
