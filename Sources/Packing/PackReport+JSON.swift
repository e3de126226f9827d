import AppleArchive
import AssetPacks
import JSONText
import Values

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
