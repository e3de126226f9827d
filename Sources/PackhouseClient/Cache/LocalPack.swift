import JSONText

/// A pack that is here, as the cache's index keeps it.
struct LocalPack: Sendable, Equatable {
  let id: String
  let version: Int
  /// The name of its folder below `packs`.
  let folder: String
  /// Bytes of the archive that it came from.
  let downloadSize: Int64
  /// Bytes of its files.
  let installSize: Int64
  /// How many files there are; nil when they were not counted.
  let files: Int?
  /// Of the archive; nil when it was not known.
  let sha256: String?
  let isEssential: Bool
  let tags: [String]
  /// What its `userInfo` asks for, from 0 (goes first) to 1.
  let preservationPriority: Double

  init(_ pack: AssetPack, folder: String, installSize: Int64, files: Int? = nil, sha256: String?) {
    id = pack.id
    version = pack.version
    self.folder = folder
    downloadSize = pack.downloadSize
    self.installSize = installSize
    self.files = files
    self.sha256 = sha256
    if case .essential = pack.downloadPolicy { isEssential = true } else { isEssential = false }
    tags = pack.tags
    preservationPriority = pack.preservationPriority
  }

  /// Nil for what this class did not write.
  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, let version = value["version"]?.int, let folder = value["folder"]?.string,
      !folder.isEmpty, !folder.contains("/"), !folder.hasPrefix("."), let download = value["downloadSize"]?.int,
      let install = value["installSize"]?.int,
      AssetPack.sizes.contains(Int64(download)), AssetPack.sizes.contains(Int64(install)),
      let isEssential = value["essential"]?.bool
    else { return nil }
    self.id = id
    self.version = version
    self.folder = folder
    downloadSize = Int64(download)
    installSize = Int64(install)
    files = value["files"]?.int
    sha256 = value["sha256"]?.string
    self.isEssential = isEssential
    tags = value["tags"]?.array?.compactMap(\.string) ?? []
    preservationPriority = value["preservationPriority"]?.fraction ?? 0
  }

  var json: JSONValue {
    [
      "id": .string(id), "version": .integer(version), "folder": .string(folder),
      "downloadSize": .integer(downloadSize), "installSize": .integer(installSize),
      "files": files.map { .integer($0) } ?? .null, "sha256": .optional(sha256),
      "essential": .bool(isEssential), "tags": .array(tags.map { .string($0) }),
      "preservationPriority": JSONNumber(preservationPriority).map { .number($0) } ?? 0,
    ]
  }
}

extension JSONValue {
  /// A number, cut to 0…1; nil for anything else.
  var fraction: Double? {
    guard case .number(let number) = self, let value = number.double else { return nil }
    return min(1, max(0, value))
  }
}
