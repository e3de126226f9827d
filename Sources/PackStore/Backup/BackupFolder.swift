import Glibc
import JSONText
import SystemIO

/// A folder of backups: `blobs/` shared by all of them, `catalogs/` with one file for each, and `backup.json`, which
/// names the ones that are whole.
package struct BackupFolder: Sendable {
  /// One backup.
  package struct Entry: Sendable, Equatable {
    /// The catalog's file name in `catalogs/`.
    package let catalog: String
    /// The hash of that file.
    package let sha256: String
    /// Seconds since 1970.
    package let created: Int64
    /// Hashes of blobs whose bytes were damaged or gone when it was made, and which no earlier backup has.
    package let damaged: [String]
  }

  let path: String

  var indexPath: String { "\(path)/backup.json" }
  var lockPath: String { "\(path)/backup.lock" }
  func path(ofCatalog name: String) -> String { "\(path)/catalogs/\(name)" }
  func path(ofBlob sha256: String) -> String { "\(path)/blobs/\(sha256.prefix(2))/\(sha256)" }

  /// The backups that are whole, the oldest first. Empty for a folder that has none.
  func entries() throws(StoreFailure) -> [Entry] {
    let indexPath = indexPath
    let bytes: [UInt8]
    do throws(SystemFailure) {
      guard try FileStatus.of(indexPath) != nil else { return [] }
      bytes = try readFile(indexPath, limit: 16 << 20)
    } catch {
      throw StoreFailure(error, path: indexPath)
    }
    guard let root = try? JSONParser.parse(bytes, dialect: .strict).root, root["format"] == 1,
      let lines = root["backups"]?.array
    else { throw .backupUnusable(path: indexPath, fault: "it is not the index of a backup of this release") }
    var entries: [Entry] = []
    for line in lines {
      guard let catalog = line["catalog"]?.string, !catalog.contains("/"), let sha256 = line["sha256"]?.string,
        case .number(let created)? = line["created"], let seconds = created.int
      else { throw .backupUnusable(path: indexPath, fault: "one of its entries is not whole") }
      entries.append(
        Entry(
          catalog: catalog, sha256: sha256, created: Int64(seconds),
          damaged: line["damaged"]?.array?.compactMap(\.string) ?? []))
    }
    return entries
  }

  func write(_ entries: [Entry]) throws(StoreFailure) {
    let lines = entries.map { entry -> JSONValue in
      [
        "catalog": .string(entry.catalog), "sha256": .string(entry.sha256), "created": .integer(entry.created),
        "damaged": .array(entry.damaged.map { .string($0) }),
      ]
    }
    let document: JSONValue = ["format": 1, "backups": .array(lines)]
    let indexPath = indexPath
    try onDisk(indexPath, try AtomicFile.write(document.serialize(.pretty), to: indexPath, mode: 0o600))
  }

  /// The hash of a file of the folder.
  static func hash(_ path: String) throws(StoreFailure) -> String {
    try onDisk(path) { () throws(SystemFailure) in
      let file = try FileDescriptor.open(path, O_RDONLY)
      return try BlobStore.hash(file, path).hash
    }
  }
}
