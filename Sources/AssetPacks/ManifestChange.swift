import JSONText
import Values

/// What replacing one download manifest by another does to devices. A pack that is missing from a valid manifest is
/// deleted from them, and the version is the only thing that makes them update.
package struct ManifestChange: Equatable, Sendable {
  /// A reason not to publish.
  package enum Fault: Error, Equatable, Sendable {
    /// The pack would be deleted from devices, and this was not confirmed.
    case disappears(AssetPackID)
    /// The version would fall.
    case versionFalls(AssetPackID, from: VersionNumber, to: VersionNumber)
    /// Other bytes under the same version.
    case changesWithoutVersion(AssetPackID, VersionNumber)

    package var sentence: String {
      switch self {
      case .disappears(let id):
        "the asset pack \(quoted(id.text)) would disappear from the manifest, and devices would delete it; "
          + "confirm its removal if that is meant"
      case .versionFalls(let id, let from, let to):
        "the asset pack \(quoted(id.text)) would fall from version \(from) to \(to); "
          + "publish the old bytes under a version above \(from)"
      case .changesWithoutVersion(let id, let version):
        "the asset pack \(quoted(id.text)) would change its bytes under version \(version), and devices would not "
          + "notice; publish them under a higher version"
      }
    }
  }

  /// The packs that are only in the new manifest, by id.
  package private(set) var appearing: [AssetPackID] = []
  /// The packs that are only in the old manifest, by id.
  package private(set) var disappearing: [AssetPackID] = []
  /// The packs whose version rises: what devices will download.
  package private(set) var updated: [AssetPackID] = []
  /// Whether a manifest with packs becomes one without any.
  package let becomesEmpty: Bool
  private var versionFaults: [Fault] = []

  /// - Parameter old: the manifest that is served now; nil for the first one.
  package init(from old: DownloadManifest?, to new: DownloadManifest) {
    var before: [AssetPackID: DownloadManifest.Entry] = [:]
    for entry in old?.entries ?? [] { before[entry.id] = entry }
    becomesEmpty = new.entries.isEmpty && !before.isEmpty
    for entry in new.entries {
      guard let previous = before.removeValue(forKey: entry.id) else {
        appearing.append(entry.id)
        continue
      }
      if entry.version > previous.version {
        updated.append(entry.id)
      } else if entry.version < previous.version {
        versionFaults.append(.versionFalls(entry.id, from: previous.version, to: entry.version))
      } else if entry.downloadSize != previous.downloadSize {
        versionFaults.append(.changesWithoutVersion(entry.id, entry.version))
      }
    }
    disappearing = before.keys.sorted()
  }

  /// Every reason not to publish; empty when the change is sound.
  /// - Parameter confirmedRemovals: the packs that may be deleted from devices.
  package func faults(confirmedRemovals: Set<AssetPackID> = []) -> [Fault] {
    disappearing.filter { !confirmedRemovals.contains($0) }.map { .disappears($0) } + versionFaults
  }
}
