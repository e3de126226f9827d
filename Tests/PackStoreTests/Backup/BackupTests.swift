import AssetPacks
import Digests
import Foundation
import Synchronization
import Testing

@testable import PackStore

@Suite final class BackupTests {
  let temporary = TemporaryStore()
  var folder: String { temporary.folder + "-backup" }
  var target: String { temporary.folder + "-restored" }

  deinit {
    temporary.remove()
    try? FileManager.default.removeItem(atPath: folder)
    try? FileManager.default.removeItem(atPath: target)
  }

  private func restored() throws -> PackStore {
    var options = StoreOptions(folder: target, publicBaseURL: "https://packs.example.com")
    options.clock = temporary.time.clock
    return try PackStore(options)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test func countersGoAheadAndNothingElseChanges() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    for number in 1...3 { try store.makeVersion(pack, content: pattern(100 * number)) }
    let report = try store.backup(to: folder, keep: 3)
    #expect(report.copiedBlobs == 3 && report.copiedBytes == 600 && report.entry.damaged.isEmpty)
    let outcome = try PackStore.restore(from: folder, to: target, gap: 10, clock: temporary.time.clock)
    #expect(outcome.blobs == 3 && outcome.damaged.isEmpty)
    let copy = try self.restored()
    #expect(try copy.recover().failedVersions.isEmpty)
    #expect(try copy.liveState() == store.liveState())
    // A backup has no published copies: the first start after it writes them.
    #expect(try PublishedFallback.load(stateFolder: target) == copy.liveState())
    #expect(try copy.createVersion(pack: pack.id, actor: copy.actor).number == 14)
    #expect(try copy.auditLog(page: PageRequest(limit: 200)).items.contains { $0.action == "store.restore" })
  }

  @Test func anUploadThatWasUnderWayFailsInTheCopy() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let version = try store.createVersion(pack: pack.id, actor: store.actor)
    try store.upload(pattern(1500), version: version.id)
    _ = try store.backup(to: folder, keep: 1)
    _ = try PackStore.restore(from: folder, to: target, clock: temporary.time.clock)
    let copy = try restored()
    #expect(try copy.recover().failedVersions.map(\.id) == [version.id])
  }

  @Test func whatABackupLeftThatWasCutOffIsNeitherUsedNorKept() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    try store.makeVersion(pack, content: pattern(100))
    _ = try store.backup(to: folder, keep: 3)
    let stray = String(repeating: "ab", count: 32)
    try FileManager.default.createDirectory(atPath: "\(folder)/blobs/ab", withIntermediateDirectories: true)
    try write([1], "\(folder)/blobs/ab/\(stray).writing")
    try write([1], "\(folder)/catalogs/1-cut.sqlite")
    #expect(try BackupFolder(path: folder).entries().count == 1)
    _ = try store.backup(to: folder, keep: 3)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/blobs/ab/\(stray).writing"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/catalogs").count == 2)
  }

  @Test func damageIsSaidAndNeverCopied() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let contents = [pattern(100), pattern(200), pattern(300)]
    for content in contents { try store.makeVersion(pack, content: content) }
    let hashes = contents.map(Digest.sha256Text)
    try write(pattern(100).reversed(), store.blobs.path(ofBlob: hashes[0]))
    try FileManager.default.removeItem(atPath: store.blobs.path(ofBlob: hashes[1]))
    let report = try store.backup(to: folder, keep: 3)
    #expect(Set(report.entry.damaged) == Set(hashes[0...1]) && report.copiedBlobs == 1)
    let outcome = try PackStore.restore(from: folder, to: target, clock: temporary.time.clock)
    #expect(Set(outcome.damaged) == Set(hashes[0...1]) && outcome.blobs == 1)
    let copy = try restored()
    #expect(try copy.liveState().apps[0].versions.map(\.isDamaged) == [true, true, false])
    // The same bytes again put it right.
    try copy.makeVersion(pack, content: contents[0])
    #expect(try copy.liveState().apps[0].versions.map(\.isDamaged) == [false, true, false, false])
  }

  @Test func aCatalogThatWasTamperedWithIsRefused() throws {
    let store = try temporary.open()
    _ = try store.makeApp()
    let report = try store.backup(to: folder, keep: 3)
    let path = "\(folder)/catalogs/\(report.entry.catalog)"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[bytes.count / 2] ^= 1
    try write(bytes, path)
    #expect(throws: StoreFailure.self) {
      try PackStore.restore(from: folder, to: target, clock: temporary.time.clock)
    }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func aRestoreThatWasCutOffIsRunAgain() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    try store.makeVersion(pack, content: pattern(100))
    _ = try store.backup(to: folder, keep: 3)
    try FileManager.default.createDirectory(atPath: "\(target)/blobs/00", withIntermediateDirectories: true)
    try write([], "\(target)/blobs/00/left.writing")
    #expect(throws: StoreFailure.folderNotEmpty(path: target)) {
      try PackStore.restore(from: folder, to: target, clock: temporary.time.clock)
    }
    try write([], "\(target)/restoring")
    // No daemon starts on it meanwhile.
    #expect(throws: StoreFailure.self) { try restored() }
    #expect(try PackStore.restore(from: folder, to: target, clock: temporary.time.clock).blobs == 1)
    #expect(try restored().liveState() == store.liveState())
  }

  /// Writers and collections go on while one backup after the other is made; each is whole.
  @Test func aBackupIsOfOneMoment() throws {
    let store = try temporary.open { $0.retention = Retention(supersededVersions: 0, supersededTime: 0, grace: 0) }
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    try store.makeVersion(pack, content: pattern(50))
    let isDone = Atomic<Bool>(false)
    let hasEnded = Atomic<Bool>(false)
    let failures = Mutex<[String]>([])
    let writer = Thread {
      do {
        var number = 0
        while !isDone.load(ordering: .relaxed) {
          number += 1
          try store.makeVersion(pack, content: pattern(100 + number))
          _ = try store.collect(actor: store.actor)
        }
      } catch { failures.withLock { $0.append("\(error)") } }
      hasEnded.store(true, ordering: .releasing)
    }
    writer.start()
    for _ in 0..<10 {
      let report = try store.backup(to: folder, keep: 2)
      #expect(report.entry.damaged.isEmpty)
      try? FileManager.default.removeItem(atPath: target)
      let outcome = try PackStore.restore(from: folder, to: target, clock: temporary.time.clock)
      #expect(outcome.damaged.isEmpty)
      let copy = try restored()
      _ = try copy.recover()
      #expect(try copy.verify(changes: false).isIntact)
    }
    isDone.store(true, ordering: .relaxed)
    while !hasEnded.load(ordering: .acquiring) { usleep(1000) }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func verificationTellsWhatIsWrongAndClearsWhatIsRight() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let content = pattern(400)
    try store.makeVersion(pack, content: content)
    #expect(try store.verify(changes: true).isIntact)
    let path = store.blobs.path(ofBlob: Digest.sha256Text(content))
    try write(pattern(399), path)
    #expect(try store.verify(changes: false).damaged.map(\.fault) == ["it has 399 bytes instead of 400"])
    #expect(try store.liveState().apps[0].versions.map(\.isDamaged) == [false])
    #expect(try store.verify(changes: true).damaged.map(\.versions) == [["com.example.game a 1"]])
    #expect(try store.liveState().apps[0].versions.map(\.isDamaged) == [true])
    #expect(try store.verify(changes: true).damaged.map(\.fault) == ["its file is gone"])
    try write(content, path)
    #expect(try store.verify(changes: true).recovered == [Digest.sha256Text(content)])
    #expect(try store.liveState().apps[0].versions.map(\.isDamaged) == [false])
  }
}
