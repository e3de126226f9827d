import CLinux
import CSQLite
import Glibc
import SystemIO

/// What a restore did.
package struct RestoreReport: Sendable {
  package let entry: BackupFolder.Entry
  package var blobs = 0
  package var bytes: Int64 = 0
  /// Hashes of blobs that the backup does not have intact; their versions are refused until they are repaired.
  package var damaged: [String] = []
}

extension PackStore {
  /// Makes a state folder from a backup: the blobs, each checked, and the catalog last.
  ///
  /// Devices may have seen versions that were made after the backup. So that no number is ever used twice, the counter
  /// of every pack is raised by `gap`.
  ///
  /// - Parameters:
  ///   - folder: must be empty or missing, or hold the remains of a restore that was killed.
  ///   - catalog: the file name of a backup's catalog; the newest when nil.
  /// - Throws: `backupUnusable`, `folderNotEmpty`, failures of the disk.
  package static func restore(
    from backupFolder: String, to folder: String, catalog name: String? = nil, gap: Int = 1000,
    clock: WallClock = .system
  ) throws(StoreFailure) -> RestoreReport {
    let backup = BackupFolder(path: backupFolder)
    let entries = try backup.entries()
    guard let entry = name.map({ name in entries.last { $0.catalog == name } }) ?? entries.last else {
      throw .backupUnusable(
        path: backupFolder, fault: name.map { "it has no backup \($0)" } ?? "it has no backup")
    }
    let source = backup.path(ofCatalog: entry.catalog)
    guard try BackupFolder.hash(source) == entry.sha256 else {
      throw .backupUnusable(path: source, fault: "its bytes are not those that were backed up; name another one")
    }
    let marker = "\(folder)/restoring"
    try begin(folder, marker)
    let store = try BlobStore(folder: folder)
    var report = RestoreReport(entry: entry)
    var folders: Set<String> = [store.blobsFolder]
    for (sha256, size) in try blobs(ofCatalog: source) {
      let destination = store.path(ofBlob: sha256)
      guard try BlobStore.copy(backup.path(ofBlob: sha256), to: destination, sha256: sha256, size: size) == .intact
      else {
        report.damaged.append(sha256)
        continue
      }
      report.blobs += 1
      report.bytes += size
      folders.insert(Folder.parent(of: destination))
    }
    for folder in folders.sorted() {
      try onDisk(folder) { () throws(SystemFailure) in
        // Made for the backup's owner only; the daemon's have the daemon's mode.
        if chmod(folder, 0o750) != 0 { throw SystemFailure("chmod", folder) }
        try Folder.synchronize(folder)
      }
    }
    try placeCatalog(source, folder, report, gap: gap, now: clock.now())
    try onDisk(folder) { () throws(SystemFailure) in
      _ = try removeFile(marker)
      try Folder.synchronize(folder)
    }
    return report
  }

  private static func begin(_ folder: String, _ marker: String) throws(StoreFailure) {
    let names = try onDisk(folder) { () throws(SystemFailure) -> [String] in
      try Folder.create(folder)
      return try Folder.names(folder)
    }
    guard names.isEmpty || names.contains("restoring") else { throw .folderNotEmpty(path: folder) }
    try onDisk(marker, try AtomicFile.write(Array("packhouse restore was cut off; run it again\n".utf8), to: marker))
  }

  /// The catalog gets its name last: without it no daemon starts on the folder.
  private static func placeCatalog(
    _ source: String, _ folder: String, _ report: RestoreReport, gap: Int, now: Int64
  ) throws(StoreFailure) {
    let path = "\(folder)/catalog.sqlite"
    let temporary = path + AtomicFile.temporarySuffix
    try onDisk(path) { () throws(SystemFailure) in
      for left in [temporary, path, "\(path)-wal", "\(path)-shm"] { _ = try removeFile(left) }
    }
    do {
      let connection = try CatalogConnection(path: source, flags: SQLITE_OPEN_READONLY, busyMilliseconds: 5000)
      try connection.run("VACUUM INTO ?", temporary)
    }
    do {
      let connection = try CatalogConnection(path: temporary, flags: SQLITE_OPEN_READWRITE, busyMilliseconds: 5000)
      try Migration.run(Migration.all, on: connection, now: now)
      try connection.script("BEGIN IMMEDIATE", doing: "restoring")
      try connection.run("UPDATE packs SET last_version = min(last_version + ?, 9007199254740991)", gap)
      for sha256 in report.damaged { try connection.noteDamage(sha256, "the backup does not have it intact", now) }
      let change = Change(connection: connection, actor: Actor(name: "packhouse restore"), now: now)
      try change.audit(
        "store.restore", app: nil, subject: .text(report.entry.catalog), after: "version counters go ahead by \(gap)")
      try connection.script("COMMIT", doing: "restoring")
    }
    try onDisk(path) { () throws(SystemFailure) in
      let file = try FileDescriptor.open(temporary, O_RDONLY)
      if fchmod(file.raw, 0o640) != 0 { throw SystemFailure("fchmod", temporary) }
      try file.synchronize(subject: temporary)
      if rename(temporary, path) != 0 { throw SystemFailure("rename", path) }
      try Folder.synchronize(folder)
    }
  }
}
