import CSQLite
import Foundation
import SystemIO
import Testing

@testable import PackStore

@Suite final class CatalogTests {
  let temporary = TemporaryStore()
  var path: String { "\(temporary.folder)/catalog.sqlite" }

  deinit { temporary.remove() }

  @Test func theCatalogIsDurableAndChecksReferences() throws {
    let store = try temporary.open()
    try store.catalog.write { (connection) throws(StoreFailure) in
      for (name, value) in [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1")] {
        #expect(try connection.first("PRAGMA \(name)") { $0.text(0) } == value)
      }
    }
    #expect(throws: StoreFailure.self) {
      try store.catalog.write { (connection) throws(StoreFailure) in
        try connection.run("INSERT INTO app_domains VALUES ('nobody', 0, 'x')")
      }
    }
  }

  @Test func anAddedMigrationRunsOnceAndAChangedOneIsRefused() throws {
    try Folder.create(temporary.folder)
    let first = Migration(name: "m1", sql: Array("CREATE TABLE a (x INTEGER) STRICT".utf8))
    let second = Migration(name: "m2", sql: Array("CREATE TABLE b (x INTEGER) STRICT".utf8))
    _ = try Catalog(path: path, migrations: [first], now: 1)
    #expect(throws: StoreFailure.catalogOlder(path: path)) {
      _ = try Catalog(path: path, migrations: [first, second], mayChange: false, now: 2)
    }
    _ = try Catalog(path: path, migrations: [first, second], now: 2)
    _ = try Catalog(path: path, migrations: [first, second], now: 3)
    let changed = Migration(name: "m1", sql: Array("CREATE TABLE a (y INTEGER) STRICT".utf8))
    #expect(throws: StoreFailure.migrationChanged(path: path, name: "m1")) {
      _ = try Catalog(path: path, migrations: [changed, second], now: 4)
    }
    let failure = #expect(throws: StoreFailure.self) { _ = try Catalog(path: path, migrations: [first], now: 5) }
    #expect(failure == .catalogNewer(path: path, found: 2, known: 1))
    #expect(failure?.sentence.contains("newer Packhouse") == true)
  }

  @Test func aFailingMigrationLeavesNothing() throws {
    try Folder.create(temporary.folder)
    let bad = Migration(name: "m1", sql: Array("CREATE TABLE a (x INTEGER) STRICT; CREATE NONSENSE".utf8))
    #expect(throws: StoreFailure.self) { _ = try Catalog(path: path, migrations: [bad], now: 1) }
    let good = Migration(name: "m1", sql: Array("CREATE TABLE a (x INTEGER) STRICT".utf8))
    _ = try Catalog(path: path, migrations: [good], now: 2)
  }

  @Test func aFileThatIsNoCatalogIsRefusedWithASentence() throws {
    try Folder.create(temporary.folder)
    try AtomicFile.write(pattern(8192), to: path)
    let failure = #expect(throws: StoreFailure.self) { try temporary.open() }
    #expect(failure == .notACatalog(path: path))
  }

  @Test func aDatabaseOfAnotherProgramIsRefused() throws {
    try Folder.create(temporary.folder)
    do {
      let other = try CatalogConnection(
        path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyMilliseconds: 0)
      try other.script("CREATE TABLE recipes (x)", doing: "testing")
    }
    #expect(throws: StoreFailure.notACatalog(path: path)) { try temporary.open() }
  }

  @Test func aDamagedCatalogIsReportedAndPublishedManifestsStillLoad() throws {
    let bytes: [UInt8]
    do {
      let store = try temporary.open()
      let app = try store.makeApp()
      try store.makeVersion(try store.createPack(app: app.id, identifier: "a", actor: store.actor))
      bytes = try #require(try store.manifest(app: app.id, track: .internal, scope: .all)).bytes
    }
    try? FileManager.default.removeItem(atPath: path + "-wal")
    let file = try FileDescriptor.open(path, O_RDWR)
    try pattern(60000).withUnsafeBytes { try file.writeAll($0, at: 100) }
    let failure = #expect(throws: StoreFailure.self) {
      let store = try temporary.open()
      _ = try store.recover()
    }
    if case .catalogDamaged = failure {} else { Issue.record("\(String(describing: failure))") }
    let state = try PublishedFallback.load(stateFolder: temporary.folder)
    #expect(state.apps.first?.manifests.first { $0.scope == .all }?.bytes == bytes)
    #expect(state.apps.first?.versions.map(\.number) == [1])
  }

  @Test func aSecondStoreInTheSameFolderIsRefused() throws {
    let store = try temporary.open()
    let failure = #expect(throws: StoreFailure.self) { try temporary.open() }
    #expect(failure?.sentence.contains("Another packhouse uses the state folder") == true)
    _ = try temporary.open { $0.takesLock = false }
    withExtendedLifetime(store) {}
  }

  @Test func aFullDiskIsReportedAndNothingIsHalfDone() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    func limit(_ pages: Int) throws {
      try store.catalog.write { (connection) throws(StoreFailure) in
        _ = try connection.first("PRAGMA max_page_count = \(pages)") { $0.integer(0) }
      }
    }
    try limit(1)
    var failure: StoreFailure?
    var made = 0
    while failure == nil, made < 5000 {
      do throws(StoreFailure) {
        _ = try store.createPack(app: app.id, identifier: "p\(made)", actor: store.actor)
        made += 1
        // The quota of packs is not what is tested here.
        try store.catalog.write { (connection) throws(StoreFailure) in
          try connection.run("UPDATE packs SET archived = 1")
        }
      } catch { failure = error }
    }
    #expect(failure == .diskFull(path: path))
    try limit(1_000_000)
    #expect(try store.packs(app: app.id, page: PageRequest(limit: 1)).total == made)
    _ = try store.createPack(app: app.id, identifier: "p\(made)", actor: store.actor)
  }

  @Test func aTransactionThatThrowsChangesNothing() throws {
    let store = try temporary.open()
    #expect(throws: StoreFailure.self) {
      try store.catalog.write { (connection) throws(StoreFailure) in
        try connection.setSetting("a", [1])
        throw .notFound(kind: .app, name: "x")
      }
    }
    #expect(try store.setting("a") == nil)
    #expect(try store.setting("a") { () throws(StoreFailure) in [2] } == [2])
    #expect(try store.setting("a") { () throws(StoreFailure) in [3] } == [2])
  }

  @Test func readersSeeOneStateAndCannotWrite() throws {
    let store = try temporary.open()
    try store.catalog.read { (connection) throws(StoreFailure) in
      #expect(try connection.setting("a") == nil)
      try store.setSetting("a", [1])
      #expect(try connection.setting("a") == nil)
      #expect(throws: StoreFailure.self) { try connection.setSetting("b", [1]) }
    }
    #expect(try store.setting("a") == [1])
  }

  @Test func theAuditLogOnlyGrows() throws {
    let store = try temporary.open()
    _ = try store.makeApp()
    for sql in ["UPDATE audit SET actor = 'x'", "DELETE FROM audit"] {
      let failure = #expect(throws: StoreFailure.self) {
        try store.catalog.write { (connection) throws(StoreFailure) in try connection.run(sql) }
      }
      #expect(failure?.sentence.contains("append-only") == true)
    }
    let line = try #require(try store.auditLog().items.first)
    #expect(line.action == "app.create")
    #expect(line.actor == store.actor)
    #expect(line.at == 1_800_000_000)
  }
}
