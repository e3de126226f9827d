import AppleArchive
import AssetPacks
import JSONText
import Values

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

extension PackReport {
  /// Everything that an inspection found, for programs. Paths are as they stand in the archive.
  package var json: JSONValue {
    [
      "manifest": manifestJSON, "codec": .string(inspection.container.codec.rawValue),
      "blockSize": .integer(inspection.container.blockSize), "entries": .array(inspection.entries.map(Self.json)),
      "totals": [
        "files": .integer(inspection.files), "directories": .integer(inspection.directories),
        "links": .integer(inspection.links), "installSize": .integer(installSize),
      ],
      "warnings": .array(
        warnings.map { ["code": .string($0.code), "description": .string($0.sentence)] }),
    ]
  }

  /// The archive's warnings, and what is to be said about its manifest.
  package var warnings: [(code: String, sentence: String)] {
    var warnings = inspection.warnings.map { (code: $0.code, sentence: $0.sentence) }
    switch manifest {
    case .found(let manifest, _):
      warnings += manifest.warnings.map { (code: "PACK_ID_STORE_PROFILE", sentence: $0) }
    case .missing: break
    case .ambiguous(let paths):
      let names = paths.map(\.escaped).joined(separator: " and ")
      warnings.append((code: "MANIFEST_AMBIGUOUS", sentence: "\(names) could each be the packaging manifest."))
    case .invalid(let path, let failure):
      for line in failure.sentence.split(separator: "\n") {
        warnings.append((code: "MANIFEST_INVALID", sentence: asSentence("\(path.escaped), \(line)")))
      }
    }
    return warnings
  }

  private var manifestJSON: JSONValue {
    guard case .found(let manifest, let path) = manifest else { return .null }
    var object = JSONObject([
      ("path", .string(path.text)), ("assetPackID", .string(manifest.assetPackID.text)),
      ("downloadPolicy", manifest.downloadPolicy.json),
      ("platforms", .array(manifest.platforms.map { .string($0.rawValue) })),
      ("fileSelectors", .array(manifest.fileSelectors.map(\.json))),
    ])
    if let language = manifest.language { object.set("language", .string(language.text)) }
    if let userInfo = manifest.userInfo { object.set("userInfo", .object(userInfo)) }
    if let tools = manifest.toolsVersion { object.set("toolsVersion", .string(tools)) }
    return .object(object)
  }

  private static func json(_ entry: ArchiveInspection.Entry) -> JSONValue {
    var object = JSONObject([
      ("path", .string(entry.path.text)), ("type", .string(entry.typeName)), ("size", .integer(entry.size)),
    ])
    if let hash = entry.sha256 { object.set("sha256", .string(hash)) }
    if let mode = entry.mode { object.set("mode", .string("0" + String(mode, radix: 8))) }
    if let target = entry.linkTarget { object.set("target", .string(target.text)) }
    if entry.isMachOExecutable { object.set("executable", true) }
    return .object(object)
  }
}

extension ArchiveInspection.Entry {
  /// The kind in one word: `file`, `directory` or `symlink`.
  package var typeName: String {
    switch type {
    case .file: "file"
    case .directory: "directory"
    case .link: "symlink"
    }
  }
}

extension PackReport {
  /// The same for people: a few lines about the pack, then its entries. Paths are escaped, so that nothing in an
  /// archive can write to the terminal.
  package var text: String {
    var lines: [String] = []
    switch manifest {
    case .found(let manifest, _):
      lines.append("Asset pack     \(manifest.assetPackID.text)")
      lines.append("Policy         \(Self.describe(manifest.downloadPolicy))")
      let platforms = manifest.platforms.map(\.rawValue).joined(separator: ", ")
      lines.append("Platforms      \(platforms.isEmpty ? "all" : platforms)")
      if let language = manifest.language { lines.append("Language       \(language.text)") }
    case .missing, .ambiguous, .invalid:
      lines.append("Asset pack     no packaging manifest that can be read")
    }
    let container = inspection.container
    let blocks = container.codec == .none ? "" : ", blocks of \(container.blockSize) bytes"
    lines.append("Compression    \(container.codec.rawValue)\(blocks)")
    lines.append(
      "Content        \(inspection.files) files, \(inspection.directories) folders, \(inspection.links) links, "
        + "\(installSize) bytes installed")
    lines.append("")
    for entry in inspection.entries {
      let size = entry.type == .file ? "\(entry.size)" : "-"
      let padding = String(repeating: " ", count: max(1, 12 - size.count))
      let target = entry.linkTarget.map { " -> \($0.escaped)" } ?? ""
      lines.append(
        "\(padding)\(size)  \(entry.sha256?.prefix(16) ?? "                ")  \(entry.path.wholeEscaped)\(target)")
    }
    if !warnings.isEmpty { lines.append("") }
    for warning in warnings { lines.append("warning: \(warning.sentence)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func describe(_ policy: PackDownloadPolicy) -> String {
    switch policy {
    case .essential(let events), .prefetch(let events): "\(policy.name) (\(events.names.joined(separator: ", ")))"
    case .onDemand: policy.name
    }
  }
}
