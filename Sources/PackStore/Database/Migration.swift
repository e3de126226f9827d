import Digests

/// One step of the catalog's format. Steps are only ever added at the end.
struct Migration: Sendable {
  let name: String
  let sql: [UInt8]

  static let all = [
    Migration(name: "m0001_catalog", sql: PackageResources.m0001_catalog_sql),
    Migration(name: "m0002_access", sql: PackageResources.m0002_access_sql),
    Migration(name: "m0003_quota", sql: PackageResources.m0003_quota_sql),
    Migration(name: "m0004_tracks", sql: PackageResources.m0004_tracks_sql),
    Migration(name: "m0005_review", sql: PackageResources.m0005_review_sql),
    Migration(name: "m0006_webhooks", sql: PackageResources.m0006_webhooks_sql),
    Migration(name: "m0007_idempotency", sql: PackageResources.m0007_idempotency_sql),
    Migration(name: "m0008_safety", sql: PackageResources.m0008_safety_sql),
    Migration(name: "m0009_manifests", sql: PackageResources.m0009_manifests_sql),
    Migration(name: "m0010_audit_ids", sql: PackageResources.m0010_audit_ids_sql),
  ]
}

extension Migration {
  /// Runs the steps that `connection` does not have yet, each in a transaction of its own.
  ///
  /// - Parameter mayChange: false refuses when there are any, with `catalogOlder`.
  static func run(
    _ migrations: [Migration], on connection: CatalogConnection, mayChange: Bool = true, now: Int64
  ) throws(StoreFailure) {
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
    if !tables.contains("migrations") {
      guard tables.isEmpty else { throw .notACatalog(path: connection.path) }
      guard mayChange else { throw .catalogOlder(path: connection.path) }
      try connection.script(
        """
        CREATE TABLE IF NOT EXISTS migrations (
          number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied INTEGER NOT NULL) STRICT
        """, doing: "setting it up")
    }
    let applied = try connection.rows("SELECT name, sha256 FROM migrations ORDER BY number") {
      ($0.text(0), $0.text(1))
    }
    guard applied.count <= migrations.count else {
      throw .catalogNewer(path: connection.path, found: applied.count, known: migrations.count)
    }
    guard mayChange || applied.count == migrations.count else { throw .catalogOlder(path: connection.path) }
    for (index, migration) in migrations.enumerated() {
      let hash = Digest.sha256Text(migration.sql)
      if index < applied.count {
        guard applied[index] == (migration.name, hash) else {
          throw .migrationChanged(path: connection.path, name: applied[index].0)
        }
        continue
      }
      try connection.script("BEGIN IMMEDIATE", doing: "running \(migration.name)")
      do throws(StoreFailure) {
        try connection.script(String(decoding: migration.sql, as: UTF8.self), doing: "running \(migration.name)")
        try connection.run("INSERT INTO migrations VALUES (?, ?, ?, ?)", index + 1, migration.name, hash, now)
        try connection.script("COMMIT", doing: "running \(migration.name)")
      } catch {
        try? connection.script("ROLLBACK", doing: "running \(migration.name)")
        throw error
      }
    }
  }
}
