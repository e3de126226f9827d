import AppleArchive
import AssetPacks

/// An archive read as an asset pack: its inspection, and what its packaging manifest says.
package struct PackReport: Sendable {
  /// What became of the search for a packaging manifest.
  package enum Manifest: Sendable {
    case found(PackagingManifest, path: ArchivePath)
    case missing
    /// Several files at the top level could be it.
    case ambiguous([ArchivePath])
    case invalid(path: ArchivePath, AssetPackFailure)
  }

  package let inspection: ArchiveInspection
  package let manifest: Manifest

  /// Reads the whole archive.
  package init(_ file: ArchiveFile, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveFailure) {
    inspection = try ArchiveInspection.inspect(ArchiveFileSource(file), limits: limits)
    manifest = Self.choose(inspection.manifestCandidates)
  }

  /// The manifest, when there is exactly one that can be read.
  package var packagingManifest: PackagingManifest? {
    if case .found(let manifest, _) = manifest { manifest } else { nil }
  }

  /// What the pack takes on a device, in bytes: all files but the packaging manifest, which is not part of the content.
  package var installSize: Int64 {
    guard case .found(_, let path) = manifest else { return inspection.installSize }
    let manifestSize = inspection.entries.first { $0.path == path && $0.type == .file }?.size ?? 0
    return inspection.installSize - manifestSize
  }

  /// `Manifest.json`, or else the only top-level JSON file that is a packaging manifest.
  private static func choose(_ candidates: [ArchiveInspection.ManifestCandidate]) -> Manifest {
    var found: [(PackagingManifest, ArchivePath)] = []
    var faults: [(ArchivePath, AssetPackFailure)] = []
    for candidate in candidates {
      do throws(AssetPackFailure) {
        found.append((try PackagingManifest.parse(candidate.bytes, origin: .archive), candidate.path))
      } catch {
        faults.append((candidate.path, error))
      }
    }
    if found.count > 1 { return .ambiguous(found.map(\.1)) }
    if let (manifest, path) = found.first { return .found(manifest, path: path) }
    if let (path, failure) = faults.first { return .invalid(path: path, failure) }
    return .missing
  }
}
