/// Something in an archive that is well-formed but deserves a look. Paths in the cases are escaped already.
package enum ArchiveWarning: Sendable, Equatable {
  /// A block is shorter than the block size although others follow; counted from 0.
  case shortBlock(Int)
  case pathSuspicion(path: String, PathSuspicion)
  /// The path began with `./`, which was taken away.
  case leadingDot(path: String)
  /// Mode bits beyond the nine permissions were dropped.
  case specialModeBits(path: String, mode: UInt64)
  case link(path: String, target: String)
  /// An executable for macOS, or the cut-off beginning of one.
  case executable(path: String)
  /// No manifest candidate at all.
  case noManifest
  /// There is no `Manifest.json`, but this one file may be the manifest.
  case manifestElsewhere(path: String)
  /// There is no `Manifest.json`, and several files may be the manifest.
  case severalManifests(count: Int)
  case manifestTooLarge(path: String, limit: Int)
  /// More warnings came than are kept.
  case moreWarnings(count: Int)

  /// A stable name for programs, in UPPER_SNAKE_CASE.
  package var code: String {
    switch self {
    case .shortBlock: "ARCHIVE_SHORT_BLOCK"
    case .pathSuspicion: "ARCHIVE_SUSPICIOUS_PATH"
    case .leadingDot: "ARCHIVE_LEADING_DOT"
    case .specialModeBits: "ARCHIVE_SPECIAL_MODE_BITS"
    case .link: "ARCHIVE_CONTAINS_LINK"
    case .executable: "ARCHIVE_CONTAINS_EXECUTABLE"
    case .noManifest: "ARCHIVE_NO_MANIFEST"
    case .manifestElsewhere: "ARCHIVE_MANIFEST_ELSEWHERE"
    case .severalManifests: "ARCHIVE_SEVERAL_MANIFESTS"
    case .manifestTooLarge: "ARCHIVE_MANIFEST_TOO_LARGE"
    case .moreWarnings: "ARCHIVE_MORE_WARNINGS"
    }
  }

  /// What was found, where, and what it may mean.
  package var sentence: String {
    switch self {
    case .shortBlock(let block):
      "Block \(block) is shorter than the block size although others follow it; Apple's random access refuses that."
    case .pathSuspicion(let path, let suspicion): "The path \(path) \(suspicion.clause)."
    case .leadingDot(let path): "The path ./\(path) was read as \(path)."
    case .specialModeBits(let path, let mode):
      "The mode 0\(String(mode, radix: 8)) of \(path) has bits beyond the permissions, such as setuid; "
        + "they were dropped."
    case .link(let path, let target):
      "The pack holds a symbolic link, \(path) to \(target); Apple's packer never writes one."
    case .executable(let path): "The file \(path) is a Mach-O executable; packs for macOS may not hold executables."
    case .noManifest: "The archive has no Manifest.json at its top level, as Apple's packer writes it."
    case .manifestElsewhere(let path): "The archive has no Manifest.json; \(path) may stand for it."
    case .severalManifests(let count):
      "The archive has no Manifest.json, and \(count) other .json files at its top level may stand for it."
    case .manifestTooLarge(let path, let limit): "The file \(path) has more than \(limit) bytes; it is not a manifest."
    case .moreWarnings(let count): "\(count) more warning\(count == 1 ? " is" : "s are") not shown."
    }
  }
}

/// Keeps the first warnings and counts the rest, so that a hostile archive cannot fill the memory with them.
struct WarningList {
  private let limit: Int
  private var kept: [ArchiveWarning] = []
  private var dropped = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ warning: ArchiveWarning) {
    if kept.count < limit {
      kept.append(warning)
    } else {
      dropped += 1
    }
  }

  /// The kept warnings, with a last one that counts the others.
  var all: [ArchiveWarning] { dropped == 0 ? kept : kept + [.moreWarnings(count: dropped)] }
}
