import Synchronization

/// How much was made for snapshots and not taken over from the one before.
package final class BuildCounts: Sendable {
  private let manifestCount = Atomic<Int>(0)
  private let packCount = Atomic<Int>(0)
  private let fileCount = Atomic<Int>(0)

  package init() {}

  /// Manifests that were compressed and got their heads.
  package var manifests: Int { manifestCount.load(ordering: .relaxed) }
  /// Versions that got their heads.
  package var packs: Int { packCount.load(ordering: .relaxed) }
  /// Files that were opened.
  package var files: Int { fileCount.load(ordering: .relaxed) }

  func addManifest() { manifestCount.wrappingAdd(1, ordering: .relaxed) }
  func addPack() { packCount.wrappingAdd(1, ordering: .relaxed) }
  func addFile() { fileCount.wrappingAdd(1, ordering: .relaxed) }
}
