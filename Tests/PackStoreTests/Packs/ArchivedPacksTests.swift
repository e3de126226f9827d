import AssetPacks
import Digests
import Foundation
import SystemIO
import Testing

@testable import PackStore

@Suite final class ArchivedPacksTests {
  let temporary = TemporaryStore()
  let store: PackStore
  let app: AppRecord

  init() throws {
    store = try temporary.open { $0.retention = Retention(archiveTime: 1000) }
    app = try store.makeApp()
  }

  deinit { temporary.remove() }

  func pack(_ identifier: String) throws -> PackRecord {
    try store.createPack(app: app.id, identifier: identifier, actor: store.actor)
  }

  func release(_ items: ReleaseItem..., track: Track = .production) throws {
    _ = try store.release(app: app.id, track: track, packs: items, actor: store.actor)
  }

  /// What devices get: every manifest by track and scope.
  func manifests() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for record in try store.liveState().apps[0].manifests {
      let root = try storedJSON(String(decoding: record.bytes, as: UTF8.self), column: "test")
      found["\(record.track.rawValue) \(record.scope.name)"] = root["assetPacks"]?.array?.map {
        "\($0["id"]?.string ?? "?") \($0["version"]?.int ?? -1)"
      }
    }
    return found
  }

  @Test func archivingNeedsThePacksName() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, platforms: [.iOS])
    try store.makeVersion(b)
    try release(ReleaseItem("a"), ReleaseItem("b"))
    let before = try store.liveState()
    for names in [[], ["b"]] as [Set<String>] {
      let failure = #expect(throws: StoreFailure.self) {
        _ = try store.archivePack(a.id, confirmedRemovals: names, actor: store.actor)
      }
      #expect(
        failure
          == .archiveWouldRemove(
            pack: "a", manifests: ["production all", "production iOS", "internal all", "internal iOS"], emptied: []))
      #expect(failure?.sentence.contains("devices delete it") == true)
    }
    #expect(try store.liveState() == before)
    #expect(try store.archivePack(a.id, confirmedRemovals: ["a"], actor: store.actor).archived)
    #expect(try manifests().values.allSatisfy { $0 == ["b 1"] })
    // Again it is nothing new.
    #expect(try store.archivePack(a.id, actor: store.actor).archived)
    #expect(try store.auditLog().items.filter { $0.action == "pack.archive" }.count == 1)
  }

  @Test func aPackThatNoManifestListsNeedsNone() throws {
    let a = try pack("a")
    _ = try store.createVersion(pack: a.id, actor: store.actor)
    #expect(try store.archivePack(a.id, actor: store.actor).archived)
  }

  @Test func undoBringsBackExactlyWhatWasLive() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    for size in [100, 300, 200, 150] { try store.makeVersion(a, content: pattern(size)) }
    try store.makeVersion(b)
    try release(ReleaseItem("a", number: 2), ReleaseItem("b"))
    try release(ReleaseItem("a", number: 3), track: .beta)
    let (before, listed) = (try store.liveState(), try manifests())
    let used = try store.usage(app: app.id).used
    _ = try store.archivePack(a.id, confirmedRemovals: ["a"], actor: store.actor, reason: "not used")
    #expect(try store.usage(app: app.id).used == used - 300)
    #expect(try store.pack(a.id).usedBytes == 0)
    #expect(try manifests()["production all"] == ["b 1"])
    // The beta manifest had only this pack: it is empty now, as was confirmed.
    #expect(try manifests()["beta all"] == [])
    // URLs that devices know answer on.
    #expect(
      try store.liveState().apps[0].versions.filter { $0.assetPackIdentifier == "a" }.map(\.number) == [1, 2, 3, 4])
    #expect(try !store.liveState().apps[0].versions.contains { $0.assetPackIdentifier == "a" && $0.isLive })
    #expect(throws: StoreFailure.packArchived(pack: "a")) { try release(ReleaseItem("a")) }
    #expect(throws: StoreFailure.packArchived(pack: "a")) {
      _ = try store.createVersion(pack: a.id, actor: store.actor)
    }
    temporary.time.advance(999)
    _ = try store.collect(actor: store.actor)
    _ = try store.restorePack(a.id, actor: store.actor, reason: "needed after all")
    #expect(try manifests() == listed)
    #expect(try store.liveState().apps[0].versions == before.apps[0].versions)
    #expect(try store.usage(app: app.id).used == used)
    let lines = try store.auditLog().items.filter { $0.action.hasPrefix("pack.") }.prefix(2)
    #expect(lines.map(\.action) == ["pack.restore", "pack.archive"])
    #expect(lines.first?.after == "production 2, internal 4, beta 3")
    #expect(lines.last?.before == "production 2, internal 4, beta 3")
    #expect(try store.createVersion(pack: a.id, actor: store.actor).number == 5)
  }

  @Test func afterTheBytesAreCollectedItStaysArchived() throws {
    let a = try pack("a")
    let version = try store.makeVersion(a)
    try release(ReleaseItem("a"))
    _ = try store.archivePack(a.id, confirmedRemovals: ["a"], actor: store.actor)
    #expect(try manifests()["production all"] == [])
    temporary.time.advance(1000)
    let report = try store.collect(actor: store.actor)
    #expect(report.collected.map(\.number) == [1])
    #expect(report.removedBlobs == 1)
    let failure = #expect(throws: StoreFailure.self) { _ = try store.restorePack(a.id, actor: store.actor) }
    #expect(failure == .archiveFinal(pack: "a", versions: [1]))
    #expect(failure?.sentence.contains("collected") == true)
    let kept = try store.version(version.id)
    #expect(kept.number == 1 && kept.collected != nil && kept.state == .complete)
    #expect(try store.pack(a.id).lastVersion == 1)
    #expect(throws: StoreFailure.self) { _ = try pack("a") }
  }

  @Test func uploadsUnderWayFailAndGiveTheirBytesBack() throws {
    let a = try pack("a")
    try store.makeVersion(a)
    let waiting = try store.createVersion(pack: a.id, actor: store.actor)
    let upload = try store.reserveUpload(version: waiting.id, fileName: "f", fileSize: 1500, actor: store.actor)
    let processing = try store.createVersion(pack: a.id, actor: store.actor)
    let content = pattern(400)
    let committed = try store.upload(content, version: processing.id)
    _ = try store.archivePack(a.id, confirmedRemovals: ["a"], actor: store.actor)
    #expect(try store.version(waiting.id).state == .failed)
    #expect(try store.version(waiting.id).messages.map(\.code) == ["PACK_ARCHIVED"])
    #expect(try !store.blobs.hasUpload(upload.id))
    #expect(throws: StoreFailure.self) { _ = try store.beginPart(upload: upload.id, number: 1) }
    // The processor has it in hand: it ends badly, and does not go live behind the archive's back.
    let ended = try store.complete(processing, upload: committed, content: content)
    #expect(ended.state == .failed)
    #expect(try store.usage(app: app.id) == (0, 0))
    // Its bytes became a blob that no row names.
    let report = try store.collect(actor: store.actor)
    #expect(report.strayBlobs == 1)
    #expect(report.freedBytes == 400)
    _ = try store.restorePack(a.id, actor: store.actor)
    #expect(try manifests()["internal all"] == ["a 1"])
  }

  @Test func aPackComesBackOnlyIfItFits() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, content: pattern(600))
    _ = try store.archivePack(a.id, confirmedRemovals: ["a"], actor: store.actor)
    try store.makeVersion(b, content: pattern(500))
    try store.setQuota(app: app.id, Quota(maximumBytes: 1000, maximumPacks: 2), actor: store.actor)
    #expect(throws: StoreFailure.quota(.bytes(needed: 600, free: 500, maximum: 1000))) {
      _ = try store.restorePack(a.id, actor: store.actor)
    }
    try store.setQuota(app: app.id, Quota(maximumBytes: 2000, maximumPacks: 1), actor: store.actor)
    #expect(throws: StoreFailure.quota(.packs(maximum: 1))) { _ = try store.restorePack(a.id, actor: store.actor) }
    try store.setQuota(app: app.id, nil, actor: store.actor)
    #expect(try !store.restorePack(a.id, actor: store.actor).archived)
  }

  @Test func publishedCopiesFollow() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a)
    try store.makeVersion(b)
    _ = try store.archivePack(a.id, confirmedRemovals: ["a"], actor: store.actor)
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
    _ = try store.archivePack(b.id, confirmedRemovals: ["b"], actor: store.actor)
    #expect(try manifests()["internal all"] == [])
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
    let path = "\(temporary.folder)/published/com.example.game/internal/all.json"
    #expect(try String(decoding: readFile(path, limit: 1000), as: UTF8.self) == #"{"assetPacks":[]}"#)
    _ = try store.restorePack(b.id, actor: store.actor)
    #expect(try manifests()["internal all"] == ["b 1"])
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
  }
}
