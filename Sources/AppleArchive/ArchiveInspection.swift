import Digests

/// Everything about an archive that deciding on a pack needs: its container, its entries with the hash of every file,
/// its totals, the candidates for its manifest, and warnings. It says that the archive is well-formed; what a pack may
/// hold is decided elsewhere, from the warnings and flags here.
package struct ArchiveInspection: Sendable {
  /// One entry with what its data say.
  package struct Entry: Sendable, Equatable {
    package let entry: ArchiveEntry
    /// 64 lower-case hexadecimal digits for files, nil for the rest.
    package let sha256: String?
    /// Whether the file is a program in Mach-O form, of one architecture or universal.
    package let isMachOExecutable: Bool

    package var path: ArchivePath { entry.path }
    package var type: ArchiveEntryType { entry.type }
    package var size: Int64 { entry.size }
    package var mode: UInt16? { entry.mode }
    package var linkTarget: ArchivePath? { entry.linkTarget }
  }

  /// A file that may be the packaging manifest.
  package struct ManifestCandidate: Sendable, Equatable {
    package let path: ArchivePath
    package let bytes: [UInt8]
  }

  package let container: ArchiveContainer
  package let entries: [Entry]
  package let files: Int
  package let directories: Int
  package let links: Int
  /// Bytes of all files together, the manifest among them.
  package let installSize: Int64
  /// `Manifest.json` alone when the root has one; else the `.json` files at the top level, at most
  /// `maximumManifestCandidates` of them. Each has at most `ArchiveLimits.manifestBytes`.
  package let manifestCandidates: [ManifestCandidate]
  package let warnings: [ArchiveWarning]

  package static let maximumManifestCandidates = 4

  /// Reads `source` to its end. Throws what makes the archive unreadable or not well-formed.
  package static func inspect(
    _ source: consuming some ArchiveSource, limits: ArchiveLimits = ArchiveLimits()
  ) throws(ArchiveFailure) -> ArchiveInspection {
    var reader = try ArchiveReader(source, limits: limits)
    var visitor = try InspectingVisitor(limits)
    try reader.read(&visitor)
    return visitor.result(reader.container, reader.warnings)
  }

  fileprivate init(
    _ container: ArchiveContainer, _ entries: [Entry], installSize: Int64, _ candidates: [ManifestCandidate],
    _ warnings: [ArchiveWarning]
  ) {
    self.container = container
    self.entries = entries
    files = entries.reduce(0) { $1.type == .file ? $0 + 1 : $0 }
    directories = entries.reduce(0) { $1.type == .directory ? $0 + 1 : $0 }
    links = entries.reduce(0) { $1.type == .link ? $0 + 1 : $0 }
    self.installSize = installSize
    manifestCandidates = candidates
    self.warnings = warnings
  }
}

/// Collects an inspection while the archive passes by.
private struct InspectingVisitor: ArchiveVisitor, ~Copyable {
  private let limits: ArchiveLimits
  private var entries: [ArchiveInspection.Entry] = []
  private var installSize: Int64 = 0
  private var warnings: WarningList
  private var current: ArchiveEntry?
  private let digest = Digest(.sha256)
  private var program = MachODetector()
  private var manifest = ManifestCollector()

  init(_ limits: ArchiveLimits) throws(ArchiveFailure) {
    self.limits = limits
    warnings = WarningList(limit: limits.warnings)
  }

  mutating func container(_ container: ArchiveContainer) {}

  mutating func entry(_ entry: ArchiveEntry) {
    guard entry.type == .file else {
      entries.append(ArchiveInspection.Entry(entry: entry, sha256: nil, isMachOExecutable: false))
      return
    }
    current = entry
    program = MachODetector()
    if manifest.begin(entry, limit: limits.manifestBytes) == .tooLarge {
      warnings.append(.manifestTooLarge(path: entry.path.escaped, limit: limits.manifestBytes))
    }
  }

  mutating func fileBytes(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
    program.update(bytes)
    manifest.update(bytes)
  }

  mutating func fileEnd() throws(ArchiveFailure) {
    guard let entry = current else { return }
    current = nil
    let kind = program.kind
    if kind == .executable || kind == .cutOff { warnings.append(.executable(path: entry.path.escaped)) }
    manifest.end(entry.path)
    installSize = installSize.addingReportingOverflow(entry.size).partialValue  // below the limit of decoded bytes
    let hash = digest.finishText()
    guard !hash.isEmpty else { throw .digestUnavailable(digest.algorithm.rawValue) }
    entries.append(
      ArchiveInspection.Entry(entry: entry, sha256: hash, isMachOExecutable: kind == .executable))
  }

  consuming func result(_ container: ArchiveContainer, _ earlier: [ArchiveWarning]) -> ArchiveInspection {
    if let warning = manifest.warning { warnings.append(warning) }
    return ArchiveInspection(
      container, entries, installSize: installSize, manifest.candidates, earlier + warnings.all)
  }
}
