import AssetPacks
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PackStore

/// What several tasks add to.
final class Collected<Element: Sendable>: Sendable {
  private let items = Mutex<[Element]>([])

  var all: [Element] { items.withLock { $0 } }

  func add(_ item: Element) { items.withLock { $0.append(item) } }
}

@Suite final class QuotaStoreTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  func thresholds(_ store: PackStore) throws -> [AuditRecord] {
    try store.auditLog(page: PageRequest(limit: 200)).items.filter { $0.action == "quota.threshold" }.reversed()
  }

  /// Two hundred uploads at once, with room for a hundred.
  @Test(arguments: [false, true]) func notOneUploadTooManyIsLetIn(byServer: Bool) async throws {
    let store = try temporary.open {
      $0.quota = Quota(maximumBytes: byServer ? 1_000_000 : 100_050, maximumPacks: 300)
      if byServer { $0.serverQuota = 100_050 }
    }
    let apps = [try store.makeApp("com.example.a"), try store.makeApp(byServer ? "com.example.b" : "com.example.c")]
    var versions: [String] = []
    for number in 0..<200 {
      let app = byServer ? apps[number % 2] : apps[0]
      let pack = try store.createPack(app: app.id, identifier: "p\(number)", actor: store.actor)
      versions.append(try store.createVersion(pack: pack.id, actor: store.actor).id)
    }
    let refusals = Collected<StoreFailure>()
    let ids = versions
    await withTaskGroup { group in
      for version in ids {
        group.addTask {
          do throws(StoreFailure) {
            _ = try store.reserveUpload(version: version, fileName: "a.aar", fileSize: 1000, actor: store.actor)
          } catch { refusals.add(error) }
        }
      }
    }
    let refused = refusals.all
    #expect(refused.count == 100)
    for failure in refused {
      #expect(
        failure
          == .quota(
            byServer
              ? .server(needed: 1000, free: 50, maximum: 100_050) : .bytes(needed: 1000, free: 50, maximum: 100_050)))
    }
    let total = try apps.reduce(Int64(0)) { try $0 + store.usage(app: $1.id).reserved }
    #expect(total == 100_000)
    // Refused uploads leave no files.
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder + "/uploads").count == 100)
  }

  @Test func uploadsThatCompleteAndFailKeepTheSumBelowTheLimit() async throws {
    let limit: Int64 = 20_000
    let store = try temporary.open { $0.quota = Quota(maximumBytes: Int(limit), maximumPacks: 50) }
    let app = try store.makeApp()
    let packs = try (0..<10).map { try store.createPack(app: app.id, identifier: "p\($0)", actor: store.actor) }
    let accepted = Collected<Int>()
    try await withThrowingTaskGroup { group in
      for (index, pack) in packs.enumerated() {
        group.addTask {
          for round in 0..<8 {
            let content = pattern(700 + 100 * round, seed: UInt8(index * 8 + round + 1))
            let version = try store.createVersion(pack: pack.id, actor: store.actor)
            guard let upload = try? store.upload(content, version: version.id) else { continue }
            accepted.add(round)
            if round % 3 == 2 {
              let message = VersionMessage(.error, code: "BAD", description: "bad")
              _ = try store.failProcessing(version: version.id, messages: [message])
            } else {
              _ = try store.complete(version, upload: upload, content: content)
            }
            let usage = try store.usage(app: app.id)
            #expect(usage.used + usage.reserved <= limit)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(accepted.all.count > 10)
    #expect(try store.usage(app: app.id).reserved == 0)
  }

  /// The query for the whole app says the same as the rule for each pack.
  @Test func theSumIsTheRulesOfTheDomain() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    var random = SeededGenerator(1)
    for name in ["a", "b", "c"] {
      let pack = try store.createPack(app: app.id, identifier: name, actor: store.actor)
      for number in 1...6 {
        try store.makeVersion(pack, content: pattern(Int.random(in: 1...5000, using: &random), seed: UInt8(number)))
        if Bool.random(using: &random) {
          let track: Track = Bool.random(using: &random) ? .beta : .production
          _ = try store.release(app: app.id, track: track, packs: [ReleaseItem(name)], actor: store.actor)
        }
      }
    }
    let expected = try store.packs(app: app.id).items.reduce(Int64(0)) { $0 + $1.usedBytes }
    #expect(try store.usage(app: app.id).used == expected)
    #expect(try store.serverUsage().used == expected)
  }

  @Test func eachCrossingIsToldOnce() throws {
    let store = try temporary.open { $0.quota = Quota(maximumBytes: 1000, maximumPacks: 9) }
    let app = try store.makeApp()
    let first = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let second = try store.createPack(app: app.id, identifier: "b", actor: store.actor)
    try store.makeVersion(first, content: pattern(799))
    #expect(try thresholds(store).isEmpty)
    try store.makeVersion(second, content: pattern(1))
    #expect(try thresholds(store).map(\.after) == ["800 of 1000 bytes"])
    try store.makeVersion(second, content: pattern(2))
    #expect(try thresholds(store).count == 1)
    _ = try store.archivePack(second.id, confirmedRemovals: ["b"], actor: store.actor)
    _ = try store.restorePack(second.id, actor: store.actor)
    let lines = try thresholds(store)
    #expect(lines.count == 2)
    #expect(lines.last?.subject == "com.example.game" && lines.last?.appID == app.id)
  }

  /// What goes live by a review takes another version's place, and that may leave less than 80 %.
  @Test func aReviewThatGoesLiveIsLookedAtToo() throws {
    let fixture = try ReviewFixture()
    let store = fixture.store
    try store.setQuota(app: fixture.app.id, Quota(maximumBytes: 1000, maximumPacks: 9), actor: store.actor)
    let pack = try fixture.pack("a")
    let versions = try [900, 50].map { try store.makeVersion(pack, content: pattern($0)) }
    #expect(try thresholds(store).count == 1)
    for version in versions {
      for track in [Track.beta, .production] {
        let (submission, _) = try fixture.draft(version, track: track)
        try fixture.submit(submission)
        try fixture.decide(.submission(submission), .approve)
      }
    }
    #expect(try store.usage(app: fixture.app.id).used == 50)
    // It comes to 80 % once more, and that is told.
    try store.makeVersion(try fixture.pack("b"), content: pattern(800))
    #expect(try thresholds(store).map(\.after) == ["900 of 1000 bytes", "850 of 1000 bytes"])
  }

  @Test func theServersCrossingIsToldToo() throws {
    let store = try temporary.open { $0.serverQuota = 100 }
    let app = try store.makeApp()
    try store.makeVersion(
      try store.createPack(app: app.id, identifier: "a", actor: store.actor), content: pattern(80))
    #expect(try thresholds(store).map(\.subject) == ["server"])
    #expect(try thresholds(store).first?.appID == nil)
  }

  @Test func anAppMayHaveItsOwnQuota() throws {
    let store = try temporary.open { $0.quota = Quota(maximumBytes: 100, maximumPacks: 1) }
    let app = try store.makeApp()
    #expect(try store.quotaUsage(app: app.id).isOwn == false)
    var own = Quota(.odr)
    own.maximumBytes = 5000
    try store.setQuota(app: app.id, own, actor: store.actor)
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    _ = try store.createPack(app: app.id, identifier: "b", actor: store.actor)
    try store.makeVersion(pack, content: pattern(4000))
    let usage = try store.quotaUsage(app: app.id)
    #expect(usage.isOwn && usage.quota == own && usage.used == 4000 && usage.packs == 2 && usage.stored == 4000)
    // It was above 80 % of nothing before; the smaller one is crossed at once.
    try store.setQuota(app: app.id, nil, actor: store.actor)
    #expect(try thresholds(store).count == 2 || thresholds(store).count == 1)
    let version = try store.createVersion(pack: pack.id, actor: store.actor)
    #expect(throws: StoreFailure.quota(.bytes(needed: 1, free: 0, maximum: 100))) {
      _ = try store.reserveUpload(version: version.id, fileName: "a", fileSize: 1, actor: store.actor)
    }
    #expect(throws: StoreFailure.self) {
      try store.setQuota(app: app.id, Quota(maximumBytes: -1, maximumPacks: 1), actor: store.actor)
    }
    let changes = try store.auditLog().items.filter { $0.action == "quota.change" }
    #expect(changes.first?.after == "custom: 100 bytes, 1 packs")
  }
}
