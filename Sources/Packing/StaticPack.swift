import AppleArchive
import AssetPacks
import Glibc
import JSONText
import SystemIO
import Values

/// An archive that a static host serves, with all that a download manifest needs of it.
package struct StaticPack: Sendable {
  /// The key of `userInfo` that keeps the archive's SHA-256.
  package static let hashKey = "sha256"

  package let path: String
  package let length: Int
  /// Of the whole archive, 64 lower-case hexadecimal digits.
  package let sha256: String
  package let manifest: PackagingManifest
  /// What the policy for packs warns of.
  package let warnings: [PackFinding]

  package var id: AssetPackID { manifest.assetPackID }

  /// Reads the archive at `path` twice: its content, and its bytes.
  /// - Throws: `refused` with every error of the policy for packs.
  package static func read(
    _ path: String, limits: ArchiveLimits = ArchiveLimits()
  ) throws(PackingFailure) -> StaticPack {
    let report = try PackReport.read(path, limits: limits)
    let findings = PackPolicy(profile: .selfHosted).judge(report)
    guard findings.errors.isEmpty, let manifest = report.packagingManifest else {
      throw .refused(findings.errors.map { "\(path): \($0.sentence)" })
    }
    do throws(SystemFailure) {
      let file = try ArchiveFile(path)
      guard let length = Int(exactly: file.length) else { throw SystemFailure("stat", path, code: EFBIG) }
      return StaticPack(
        path: path, length: length, sha256: try file.sha256() ?? "", manifest: manifest, warnings: findings.warnings)
    } catch { throw .system(error) }
  }

  /// The archives at `paths`, each a pack of its own.
  package static func read(
    _ paths: [String], limits: ArchiveLimits = ArchiveLimits()
  ) throws(PackingFailure) -> [StaticPack] {
    var packs: [AssetPackID: StaticPack] = [:]
    for path in paths {
      let pack = try read(path, limits: limits)
      if let other = packs[pack.id] {
        throw .refused(["\(other.path) and \(path) are both the asset pack \(quoted(pack.id.text)); name one of them."])
      }
      packs[pack.id] = pack
    }
    return packs.values.sorted { $0.id < $1.id }
  }

  /// The pack's entry; with `recordsHash` its `userInfo` has the archive's hash.
  func entry(_ version: VersionNumber, recordsHash: Bool) throws(PackingFailure) -> DownloadManifest.Entry {
    var userInfo = manifest.userInfo
    if recordsHash {
      var object = userInfo ?? JSONObject()
      guard object[Self.hashKey] == nil else {
        throw .refused([
          "\(path): userInfo has the key \"\(Self.hashKey)\" already, where the archive's hash would go; take it out "
            + "of the packaging manifest, or pass --no-sha256."
        ])
      }
      object.set(Self.hashKey, .string(sha256))
      userInfo = object
    }
    return DownloadManifest.Entry(
      id: id, version: version, downloadSize: length, downloadPolicy: manifest.downloadPolicy,
      language: manifest.language, userInfo: userInfo)
  }

  /// Whether `entry` was made for the same bytes; nil when its hash is not known and the length is equal, so that
  /// it cannot be told.
  func isSame(as entry: DownloadManifest.Entry) -> Bool? {
    guard entry.downloadSize == length else { return false }
    guard let recorded = recordedHash(in: entry) else { return nil }
    return recorded == sha256
  }

  /// The hash that `entry` keeps. A key of the pack's own does not count: it cannot be the archive's hash.
  func recordedHash(in entry: DownloadManifest.Entry) -> String? {
    guard manifest.userInfo?[Self.hashKey] == nil, let text = entry.userInfo?[Self.hashKey]?.string?.lowercased(),
      text.utf8.count == 64, bytes(hexadecimal: text) != nil
    else { return nil }
    return text
  }
}
