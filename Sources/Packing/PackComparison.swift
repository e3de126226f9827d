import AppleArchive
import AssetPacks
import JSONText
import SystemIO
import Values

/// What changes for apps and devices from one archive of a pack to another.
package struct PackComparison: Sendable {
  /// A file in its two versions.
  package struct Change: Sendable, Equatable {
    package let path: ArchivePath
    /// Length in bytes before and after; nil where the file is not there.
    package let oldSize: Int64?
    package let newSize: Int64?
    /// Whether only the permission to execute it changed.
    package let isModeOnly: Bool
  }

  /// A value of the packaging manifest in its two versions; nil where it is not there.
  package struct ManifestChange: Sendable, Equatable {
    package let key: String
    package let old: JSONValue?
    package let new: JSONValue?
  }

  package private(set) var added: [Change] = []
  package private(set) var removed: [Change] = []
  package private(set) var changed: [Change] = []
  package private(set) var unchangedFiles = 0
  package private(set) var manifest: [ManifestChange] = []
  /// The length of the new archive, which every device with the old one downloads as a whole.
  package let downloadSize: Int64
  /// Whether the archives are the same byte for byte.
  package let hasSameBytes: Bool

  /// Reads both archives.
  package init(
    _ oldPath: String, _ newPath: String, limits: ArchiveLimits = ArchiveLimits()
  ) throws(PackingFailure) {
    let old = try PackReport.read(oldPath, limits: limits)
    let new = try PackReport.read(newPath, limits: limits)
    do throws(SystemFailure) {
      let (oldFile, newFile) = (try ArchiveFile(oldPath), try ArchiveFile(newPath))
      downloadSize = newFile.length
      hasSameBytes = oldFile.length == newFile.length ? try oldFile.sha256() == newFile.sha256() : false
    } catch { throw .system(error) }
    compareFiles(Self.files(old), Self.files(new))
    guard let oldManifest = old.packagingManifest else { throw .noManifest(file: oldPath) }
    guard let newManifest = new.packagingManifest else { throw .noManifest(file: newPath) }
    compare(oldManifest, newManifest)
  }

  /// Whether nothing that apps or devices see changed.
  package var isEqual: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && manifest.isEmpty }

  /// Bytes of the files that are new or other than before.
  package var changedBytes: Int64 { (added + changed).reduce(0) { $0 + ($1.isModeOnly ? 0 : $1.newSize ?? 0) } }

  /// Files and links by path, without the packaging manifest.
  private static func files(_ report: PackReport) -> [ArchivePath: ArchiveInspection.Entry] {
    var files: [ArchivePath: ArchiveInspection.Entry] = [:]
    var manifestPath: ArchivePath?
    if case .found(_, let path) = report.manifest { manifestPath = path }
    for entry in report.inspection.entries where entry.type != .directory && entry.path != manifestPath {
      files[entry.path] = entry
    }
    return files
  }

  private mutating func compareFiles(
    _ old: [ArchivePath: ArchiveInspection.Entry], _ new: [ArchivePath: ArchiveInspection.Entry]
  ) {
    for (path, entry) in new {
      guard let before = old[path] else {
        added.append(Change(path: path, oldSize: nil, newSize: entry.size, isModeOnly: false))
        continue
      }
      let isSameContent =
        before.type == entry.type && before.sha256 == entry.sha256 && before.linkTarget == entry.linkTarget
      if isSameContent, before.isExecutable == entry.isExecutable {
        unchangedFiles += 1
      } else {
        changed.append(Change(path: path, oldSize: before.size, newSize: entry.size, isModeOnly: isSameContent))
      }
    }
    for (path, entry) in old where new[path] == nil {
      removed.append(Change(path: path, oldSize: entry.size, newSize: nil, isModeOnly: false))
    }
    func byPath(_ a: Change, _ b: Change) -> Bool { a.path.text.utf8.lexicographicallyPrecedes(b.path.text.utf8) }
    added.sort(by: byPath)
    removed.sort(by: byPath)
    changed.sort(by: byPath)
  }

  private mutating func compare(_ old: PackagingManifest, _ new: PackagingManifest) {
    func note(_ key: String, _ before: JSONValue?, _ after: JSONValue?) {
      if before != after { manifest.append(ManifestChange(key: key, old: before, new: after)) }
    }
    func platforms(_ manifest: PackagingManifest) -> JSONValue {
      .array(manifest.effectivePlatforms.sorted().map { .string($0.rawValue) })
    }
    note("assetPackID", .string(old.assetPackID.text), .string(new.assetPackID.text))
    note("downloadPolicy", old.downloadPolicy.json, new.downloadPolicy.json)
    note("platforms", platforms(old), platforms(new))
    note("language", old.language.map { .string($0.text) }, new.language.map { .string($0.text) })
    note("userInfo", old.userInfo.map { .object($0) }, new.userInfo.map { .object($0) })
  }
}

extension ArchiveInspection.Entry {
  /// Whether the archive lets its owner execute it.
  fileprivate var isExecutable: Bool { (mode ?? 0) & 0o100 != 0 }
}

extension PackComparison {
  /// For people: `+` added, `-` removed, `~` changed, then what an update costs a device.
  package var text: String {
    var lines: [String] = []
    for change in manifest {
      lines.append("~ Manifest.json  \(change.key): \(Self.text(change.old)) -> \(Self.text(change.new))")
    }
    for change in added { lines.append("+ \(change.path.escaped)  \(change.newSize ?? 0) bytes") }
    for change in removed { lines.append("- \(change.path.escaped)  \(change.oldSize ?? 0) bytes") }
    for change in changed {
      let what = change.isModeOnly ? "executable or not" : "\(change.oldSize ?? 0) -> \(change.newSize ?? 0) bytes"
      lines.append("~ \(change.path.escaped)  \(what)")
    }
    if !lines.isEmpty { lines.append("") }
    lines.append(
      "\(added.count) added, \(removed.count) removed, \(changed.count) changed, \(unchangedFiles) unchanged")
    if isEqual {
      lines.append(
        hasSameBytes
          ? "The archives are the same byte for byte."
          : "Content and manifest are equal, but the archives differ in their bytes: published as a new version, "
            + "every device would download \(downloadSize) bytes for nothing.")
    } else {
      lines.append(
        "An update downloads \(downloadSize) bytes; \(changedBytes) bytes of content are new or other than before.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// For programs; paths are as they stand in the archives.
  package var json: JSONValue {
    [
      "equal": .bool(isEqual), "sameBytes": .bool(hasSameBytes), "added": .array(added.map(Self.json)),
      "removed": .array(removed.map(Self.json)), "changed": .array(changed.map(Self.json)),
      "unchangedFiles": .integer(unchangedFiles),
      "manifest": .array(
        manifest.map { ["key": .string($0.key), "old": $0.old ?? .null, "new": $0.new ?? .null] }),
      "downloadSize": .integer(downloadSize), "changedSize": .integer(changedBytes),
    ]
  }

  private static func json(_ change: Change) -> JSONValue {
    var object = JSONObject([("path", .string(change.path.text))])
    if let size = change.oldSize { object.set("oldSize", .integer(size)) }
    if let size = change.newSize { object.set("newSize", .integer(size)) }
    if change.isModeOnly { object.set("modeOnly", true) }
    return .object(object)
  }

  private static func text(_ value: JSONValue?) -> String { value.map { escaped($0.text()) } ?? "none" }
}
