import CLinux
import Digests
import Glibc
import SystemIO
import Values

/// What a check of the whole store found.
package struct VerificationReport: Sendable {
  /// A blob that is damaged or missing.
  package struct Damage: Sendable {
    package let sha256: String
    /// What is wrong: a sentence without its full stop.
    package let fault: String
    /// The versions whose bytes it has: `com.example.game level-1 3`.
    package let versions: [String]
    /// Repaired from a backup in this run.
    package var isRepaired = false
  }

  package var blobs = 0
  package var bytes: Int64 = 0
  package var damaged: [Damage] = []
  /// Blobs that were damaged before and are intact again.
  package var recovered: [String] = []
  /// Faults of the catalog itself, as SQLite reports them, and of manifests in it.
  package var catalogFaults: [String] = []

  /// Whether nothing is wrong, or all of it was repaired.
  package var isIntact: Bool { catalogFaults.isEmpty && damaged.allSatisfy(\.isRepaired) }
}

/// How damage is found and isolated: it is recorded in the catalog first, so that the blob is refused from then on, and
/// then the file goes to `quarantine/`.
extension PackStore {
  /// Reads every blob and compares it with the catalog.
  ///
  /// - Parameters:
  ///   - changes: false only reports.
  ///   - backup: a folder of backups from which damaged blobs are repaired.
  ///   - progress: called after each blob with the bytes that were read so far, of how many.
  package func verify(
    changes: Bool, repairFrom backup: String? = nil, progress: (Int64, Int64) -> Void = { _, _ in }
  ) throws(StoreFailure) -> VerificationReport {
    var report = VerificationReport()
    report.catalogFaults = try catalogFaults()
    let (wanted, known) = try catalog.read { (connection) throws(StoreFailure) in
      let wanted = try connection.rows(
        "SELECT sha256, size FROM blobs WHERE collecting IS NULL AND collected IS NULL ORDER BY sha256"
      ) { (sha256: $0.text(0), size: $0.integer(1)) }
      return (wanted, Set(try connection.rows("SELECT sha256 FROM damaged_blobs") { $0.text(0) }))
    }
    let total = wanted.reduce(0) { $0 + $1.size }
    for (sha256, size) in wanted {
      let finding = try BlobStore.examine(blobs.path(ofBlob: sha256), sha256: sha256, size: size)
      report.blobs += 1
      report.bytes += size
      progress(report.bytes, total)
      switch finding {
      case .intact:
        if known.contains(sha256) {
          report.recovered.append(sha256)
          if changes { try clearDamage(sha256) }
        }
      case .missing:
        // A collection may have removed it meanwhile.
        if try isWanted(sha256) { try note(sha256, size, "its file is gone", &report, changes, backup) }
      case .damaged(let fault): try note(sha256, size, fault, &report, changes, backup)
      }
    }
    return report
  }

  private func note(
    _ sha256: String, _ size: Int64, _ fault: String, _ report: inout VerificationReport, _ changes: Bool,
    _ backup: String?
  ) throws(StoreFailure) {
    var damage = VerificationReport.Damage(sha256: sha256, fault: fault, versions: try versions(of: sha256))
    if changes {
      try change(.verifier) { (change) throws(StoreFailure) in
        try change.connection.noteDamage(sha256, fault, change.now)
        try change.audit("blob.damage", app: nil, subject: .text(sha256), reason: fault)
      }
      try blobs.quarantine(sha256)
      if let backup { damage.isRepaired = try repair(sha256, size, from: BackupFolder(path: backup)) }
    }
    report.damaged.append(damage)
  }

  private func repair(_ sha256: String, _ size: Int64, from backup: BackupFolder) throws(StoreFailure) -> Bool {
    let destination = blobs.path(ofBlob: sha256)
    let finding = try BlobStore.copy(backup.path(ofBlob: sha256), to: destination, sha256: sha256, size: size)
    guard finding == .intact else { return false }
    let shard = Folder.parent(of: destination)
    try onDisk(shard, try Folder.synchronize(shard))
    try clearDamage(sha256)
    return true
  }

  private func clearDamage(_ sha256: String) throws(StoreFailure) {
    try change(.verifier) { (change) throws(StoreFailure) in
      try change.connection.forgetDamage(sha256)
      try change.audit("blob.repair", app: nil, subject: .text(sha256))
    }
  }

  private func versions(of sha256: String) throws(StoreFailure) -> [String] {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.rows(
        """
        SELECT a.bundle_id || ' ' || p.identifier || ' ' || v.number FROM versions v
        JOIN packs p ON p.id = v.pack_id JOIN apps a ON a.id = p.app_id WHERE v.sha256 = ? ORDER BY v.seq
        """, sha256
      ) { $0.text(0) }
    }
  }

  private func catalogFaults() throws(StoreFailure) -> [String] {
    try catalog.read { (connection) throws(StoreFailure) in
      var faults = try connection.rows("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
      faults += try connection.rows("PRAGMA foreign_key_check") { "a row of \($0.text(0)) refers to one that is gone" }
      let manifests = try connection.rows("SELECT app_id, track, platform, bytes, sha256 FROM manifests") {
        (name: "\($0.text(0)) \($0.text(1)) \($0.text(2))", bytes: $0.bytes(3), sha256: $0.text(4))
      }
      for manifest in manifests where Digest.sha256Text(manifest.bytes) != manifest.sha256 {
        faults.append("the manifest \(manifest.name) has other bytes than were published")
      }
      return faults
    }
  }
}

extension Actor {
  static let verifier = Actor(name: "packhouse verify")
}

extension CatalogConnection {
  /// Records that a blob is damaged; an earlier record stays.
  func noteDamage(_ sha256: String, _ fault: String, _ now: Int64) throws(StoreFailure) {
    try run("INSERT INTO damaged_blobs VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING", sha256, now, fault)
  }

  func forgetDamage(_ sha256: String) throws(StoreFailure) {
    try run("DELETE FROM damaged_blobs WHERE sha256 = ?", sha256)
  }
}

extension BlobStore {
  /// Moves a blob's file to `quarantine/`, durably. A file that is gone already is fine.
  func quarantine(_ sha256: String) throws(StoreFailure) {
    let path = path(ofBlob: sha256)
    try onDisk(path) { () throws(SystemFailure) in
      guard try FileStatus.of(path) != nil else { return }
      let place = "\(quarantineFolder)/\(sha256).\(hexadecimal(try secureRandomBytes(4)))"
      if try !moveFile(path, toNew: place) { throw SystemFailure("rename", path, code: EEXIST) }
      try Folder.synchronize(quarantineFolder)
      try Folder.synchronize(Folder.parent(of: path))
    }
  }
}
