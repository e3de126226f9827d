import CLinux
import CSQLite
import Glibc
import SystemIO
import Values

/// What a backup did.
package struct BackupReport: Sendable {
  package var entry: BackupFolder.Entry
  package var copiedBlobs = 0
  package var copiedBytes: Int64 = 0
  /// Blobs that an earlier backup had copied already.
  package var sharedBlobs = 0
  /// Earlier backups that were dropped because there were more than `keep`.
  package var dropped: [String] = []
}

/// How a backup is made while the daemon runs: the catalog first, as of one moment, then every blob that it
/// names, then the index that makes it count. A kill at any point leaves earlier backups whole.
extension PackStore {
  /// Backs up to `folder`, which holds earlier backups or is created.
  ///
  /// - Parameter keep: how many backups stay, this one included; at least 1.
  /// - Throws: `backupUnusable`, also while another backup to the same folder runs; failures of the disk.
  package func backup(to folder: String, keep: Int) throws(StoreFailure) -> BackupReport {
    let backup = BackupFolder(path: folder)
    try onDisk(folder) { () throws(SystemFailure) in
      for path in [folder, "\(folder)/catalogs", "\(folder)/blobs"] { try Folder.create(path, mode: 0o700) }
    }
    let lock = try onDisk(folder, try LockFile.take(backup.lockPath))
    guard case .taken = lock else { throw .backupUnusable(path: folder, fault: "another backup to it is running") }
    let entries = try backup.entries()
    try Self.removeLeftOvers(backup, entries)
    var report: BackupReport?
    // A collection may remove a blob that the copy of the catalog still names: then a newer copy is made.
    for attempt in 1...5 where report == nil { report = try self.attempt(backup, isLast: attempt == 5) }
    guard var report else { throw .backupUnusable(path: folder, fault: "blobs kept disappearing meanwhile") }
    let all = entries + [report.entry]
    let kept = Array(all.suffix(max(1, keep)))
    try backup.write(kept)
    report.dropped = all.dropLast(kept.count).map(\.catalog)
    if !report.dropped.isEmpty { try Self.removeLeftOvers(backup, kept) }
    withExtendedLifetime(lock) {}
    return report
  }

  /// Nil when a blob has been collected meanwhile.
  private func attempt(_ backup: BackupFolder, isLast: Bool) throws(StoreFailure) -> BackupReport? {
    let created = now()
    let suffix = hexadecimal(try onDisk(backup.path, try secureRandomBytes(4)))
    let name = "\(created)-\(suffix).sqlite"
    let path = backup.path(ofCatalog: name)
    try copyCatalog(to: path)
    var damaged: [String] = []
    var report = BackupReport(entry: .init(catalog: name, sha256: "", created: created, damaged: []))
    var folders: Set<String> = []
    for (sha256, size) in try Self.blobs(ofCatalog: path) {
      let destination = backup.path(ofBlob: sha256)
      if try onDisk(destination, try FileStatus.of(destination)?.length == size) {
        report.sharedBlobs += 1
        continue
      }
      switch try BlobStore.copy(blobs.path(ofBlob: sha256), to: destination, sha256: sha256, size: size) {
      case .intact:
        report.copiedBlobs += 1
        report.copiedBytes += size
        folders.insert(Folder.parent(of: destination))
      case .missing:
        if try !isWanted(sha256), !isLast { return nil }
        damaged.append(sha256)
      case .damaged: damaged.append(sha256)
      }
    }
    let durable = folders.union(["\(backup.path)/blobs", "\(backup.path)/catalogs"]).sorted()
    for folder in durable { try onDisk(folder, try Folder.synchronize(folder)) }
    report.entry = BackupFolder.Entry(
      catalog: name, sha256: try BackupFolder.hash(path), created: created, damaged: damaged)
    return report
  }

  private func copyCatalog(to path: String) throws(StoreFailure) {
    // A connection of its own: it keeps one state of the catalog for as long as the copy takes, and nobody waits for
    // it.
    let connection = try CatalogConnection(path: catalog.path, flags: SQLITE_OPEN_READWRITE, busyMilliseconds: 5000)
    try connection.run("VACUUM INTO ?", path)
    try onDisk(path) { () throws(SystemFailure) in
      let file = try FileDescriptor.open(path, O_RDONLY)
      if fchmod(file.raw, 0o600) != 0 { throw SystemFailure("fchmod", path) }
      try file.synchronize(subject: path)
    }
  }

  /// The blobs that a copy of the catalog needs.
  static func blobs(ofCatalog path: String) throws(StoreFailure) -> [(sha256: String, size: Int64)] {
    let connection = try CatalogConnection(path: path, flags: SQLITE_OPEN_READONLY, busyMilliseconds: 5000)
    return try connection.rows(
      "SELECT sha256, size FROM blobs WHERE collecting IS NULL AND collected IS NULL ORDER BY sha256"
    ) { ($0.text(0), $0.integer(1)) }
  }

  /// Whether the current catalog still needs a blob.
  func isWanted(_ sha256: String) throws(StoreFailure) -> Bool {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.first(
        "SELECT 1 FROM blobs WHERE sha256 = ? AND collecting IS NULL AND collected IS NULL", sha256
      ) { _ in true } ?? false
    }
  }

  /// Removes what no backup of `entries` needs: catalogs that never made it into the index, and blobs of those that
  /// were dropped.
  private static func removeLeftOvers(_ backup: BackupFolder, _ entries: [BackupFolder.Entry]) throws(StoreFailure) {
    var needed: Set<String> = []
    for entry in entries { needed.formUnion(try blobs(ofCatalog: backup.path(ofCatalog: entry.catalog)).map(\.sha256)) }
    let catalogs = Set(entries.map(\.catalog))
    try onDisk(backup.path) { () throws(SystemFailure) in
      for name in try Folder.names("\(backup.path)/catalogs") where !catalogs.contains(name) {
        _ = try removeFile(backup.path(ofCatalog: name))
      }
      for shard in try Folder.names("\(backup.path)/blobs") {
        for name in try Folder.names("\(backup.path)/blobs/\(shard)") where !needed.contains(name) {
          _ = try removeFile("\(backup.path)/blobs/\(shard)/\(name)")
        }
      }
    }
  }
}
