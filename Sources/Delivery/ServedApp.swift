import AssetPacks
import HTTPCore
import PackStore

/// What devices get of one app. Immutable; a snapshot reuses it from the one before when nothing about the app has
/// changed.
final class ServedApp: Sendable {
  /// A version, and what its resource was made from.
  struct PackKey: Hashable {
    let identifier: String
    let number: Int
    let sha256: String
    let size: Int64
    let created: Int64

    init(_ version: LiveState.Version) {
      identifier = version.assetPackIdentifier
      number = version.number
      sha256 = version.sha256
      size = version.size
      created = version.created
    }
  }

  /// What it was made from.
  let revision: Int64
  /// Paths below `/apps/<bundle id>/`.
  let paths: ByteKeyTable
  let resources: [ServedResource]
  /// What the next snapshot may reuse.
  let packs: [PackKey: ServedResource]
  let documents: [Track: [ManifestDocuments.Key: ManifestDocument]]
  /// What is wrong with files, one sentence each.
  let faults: [String]
  /// How many files are not open yet.
  let closedCount: Int

  /// Whether nothing is left to do.
  var isComplete: Bool { faults.isEmpty && closedCount == 0 }

  init(
    revision: Int64, paths: ByteKeyTable, resources: [ServedResource], packs: [PackKey: ServedResource],
    documents: [Track: [ManifestDocuments.Key: ManifestDocument]], faults: [String], closedCount: Int
  ) {
    self.revision = revision
    self.paths = paths
    self.resources = resources
    self.packs = packs
    self.documents = documents
    self.faults = faults
    self.closedCount = closedCount
  }

  /// The resource at a path below the app's; that of a pack may end in `.aar`. An id may itself end in `.aar`:
  /// then the exact path of that pack wins.
  func find(_ path: UnsafeRawBufferPointer) -> ServedResource? {
    if let place = paths.lookup(path) { return resource(place) }
    let suffix: StaticString = ".aar"
    let stem = path.count - suffix.utf8CodeUnitCount
    guard stem > 0, (0..<suffix.utf8CodeUnitCount).allSatisfy({ path[stem + $0] == suffix.utf8Start[$0] }),
      let place = paths.lookup(UnsafeRawBufferPointer(rebasing: path[..<stem])), let found = resource(place)
    else { return nil }
    switch found {
    case .pack, .unopened, .damaged: return found
    case .track, .lane: return nil
    }
  }

  private func resource(_ place: Int32) -> ServedResource? {
    guard let index = Int(exactly: place), index >= 0, index < resources.count else { return nil }
    return resources[index]
  }
}

/// What one path of the client listener serves.
enum ServedResource: Sendable {
  /// The manifests of an app's track.
  case track(TrackManifests)
  /// The manifests of one lane, under its own URL.
  case lane(ManifestSet)
  /// One version of a pack.
  case pack(Representation)
  /// One version of a pack whose file is not open yet: only in the first moments after a start.
  case unopened(UnopenedPack)
  /// A pack whose file is missing or damaged: refused until it is restored, never served short.
  case damaged
}
