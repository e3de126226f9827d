/// Keeps the bytes of the files that may be the packaging manifest, while the archive passes by.
struct ManifestCollector {
  /// Whether a file is kept.
  enum Decision {
    case kept, notACandidate, tooLarge
  }

  private static let expectedPath = "Manifest.json"

  private var expected: ArchiveInspection.ManifestCandidate?
  private var others: [ArchiveInspection.ManifestCandidate] = []
  private var otherCount = 0
  private var bytes: [UInt8]?

  /// A file begins; it is kept when it is `Manifest.json`, or one of the first top-level `.json` files.
  mutating func begin(_ entry: ArchiveEntry, limit: Int) -> Decision {
    bytes = nil
    let path = entry.path.text
    guard path.hasSuffix(".json"), !path.utf8.contains(UInt8(ascii: "/")) else { return .notACandidate }
    guard entry.size <= Int64(limit) else { return .tooLarge }
    if path != Self.expectedPath {
      otherCount += 1
      guard others.count < ArchiveInspection.maximumManifestCandidates else { return .notACandidate }
    }
    bytes = []
    return .kept
  }

  mutating func update(_ piece: UnsafeRawBufferPointer) {
    bytes?.append(contentsOf: piece)
  }

  mutating func end(_ path: ArchivePath) {
    guard let bytes else { return }
    let candidate = ArchiveInspection.ManifestCandidate(path: path, bytes: bytes)
    if path.text == Self.expectedPath {
      expected = candidate
    } else {
      others.append(candidate)
    }
    self.bytes = nil
  }

  var candidates: [ArchiveInspection.ManifestCandidate] { expected.map { [$0] } ?? others }

  /// What is odd about the manifest's place.
  var warning: ArchiveWarning? {
    if expected != nil { return nil }
    guard let first = others.first else { return .noManifest }
    return otherCount == 1 ? .manifestElsewhere(path: first.path.escaped) : .severalManifests(count: otherCount)
  }
}
