import AssetPacks
import Digests
import Foundation
import Synchronization
import SystemIO
import Testing

@testable import PackStore

@Suite final class CollectionTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  func open(_ retention: Retention = Retention(supersededVersions: 1, supersededTime: 0, grace: 0)) throws -> PackStore
  {
    try temporary.open { $0.retention = retention }
  }

  func exists(_ content: [UInt8], _ store: PackStore) throws -> Bool {
    try store.blobs.size(ofBlob: Digest.sha256Text(content)) != nil
  }

  @Test func aVersionIsMarkedAnswersOnAndGoes() throws {
    let store = try open(Retention(supersededVersions: 1, supersededTime: 100, grace: 50))
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let contents = (1...4).map { pattern(100 * $0) }
    let versions = try contents.map { try store.makeVersion(pack, content: $0) }
    #expect(try store.collect(actor: store.actor) == CollectionReport())
    temporary.time.advance(100)
    // Live: 4. Kept: 3. Past retention: 1 and 2, which answer on.
    #expect(try store.previewCollection().waiting.map(\.number) == [1, 2])
    #expect(try store.quotaUsage(app: app.id).reclaimable == 300)
    let marked = try store.collect(actor: store.actor)
    #expect(marked.waiting.map(\.number) == [1, 2])
    #expect(marked.waiting.map(\.due) == Array(repeating: temporary.time.clock.now() + 50, count: 2))
    #expect(marked.collected.isEmpty && marked.freedBytes == 0)
    #expect(try store.liveState().apps[0].versions.map(\.number) == [1, 2, 3, 4])
    temporary.time.advance(49)
    #expect(try store.collect(actor: store.actor).collected.isEmpty)
    temporary.time.advance(1)
    let preview = try store.previewCollection()
    #expect(preview.collected.map(\.number) == [1, 2] && preview.freedBytes == 300 && preview.removedBlobs == 2)
    #expect(try exists(contents[0], store))
    let path = store.blobs.path(ofBlob: Digest.sha256Text(contents[0]))
    let served = ServedStates(store) { store in
      let numbers = (try? store.liveState().apps[0].versions.map(\.number)) ?? []
      return "\(numbers), \((try? FileStatus.of(path)) == nil ? "gone" : "there")"
    }
    let report = try store.collect(actor: store.actor)
    #expect(report.collected.map(\.number) == [1, 2])
    #expect(report.freedBytes == 300 && report.removedBlobs == 2)
    // Devices were served the state without them before the files went.
    #expect(served.all == ["[3, 4], there"])
    #expect(try contents.map { try exists($0, store) } == [false, false, true, true])
    let gone = try store.version(versions[0].id)
    #expect(gone.collected == temporary.time.clock.now() && gone.state == .complete && gone.number == 1)
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
    let lines = try store.auditLog(app: app.id, page: PageRequest(limit: 200)).items
      .filter { $0.subject == "a 1" }.map(\.action)
    #expect(lines.prefix(2) == ["version.collect", "version.collectable"])
    #expect(try store.collect(actor: store.actor) == CollectionReport())
    let failure = #expect(throws: StoreFailure.self) {
      _ = try store.release(
        app: app.id, track: .production, packs: [ReleaseItem("a", number: 1)], actor: store.actor)
    }
    #expect(failure == .versionCollected(pack: "a", number: 1))
  }

  @Test func whatAnyTrackOrPublishedCopyListsStays() throws {
    let store = try open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    for number in 1...6 { try store.makeVersion(pack, content: pattern(number)) }
    for (track, number) in [(Track.production, 1), (.beta, 3)] {
      _ = try store.release(
        app: app.id, track: track, packs: [ReleaseItem("a", number: number)], actor: store.actor)
    }
    // A copy that could not be written when 2 stopped being listed: what a start without a catalog would serve.
    let copy = "\(temporary.folder)/published/com.example.game/internal/macOS.json"
    try AtomicFile.write(
      Array(#"{"assetPacks":[{"id":"a","version":2},{"id":"other","version":4}]}"#.utf8), to: copy)
    let before = try store.liveState()
    #expect(store.publishedVersions().contains { $0.number == 2 })
    // 1 and 3 are live, 6 is internal, 5 is the newest spare one; the copy is written again by the collection itself.
    #expect(try store.previewCollection().collected.map(\.number) == [4])
    #expect(try store.collect(actor: store.actor).collected.map(\.number) == [2, 4])
    #expect(try store.liveState().apps[0].manifests == before.apps[0].manifests)
    for version in try store.liveState().apps[0].versions {
      _ = try store.blobs.openBlob(version.sha256, size: version.size)
    }
    #expect(try store.liveState().apps[0].versions.map(\.number) == [1, 3, 5, 6])
  }

  @Test func sharedBytesStayWhileAnyoneNeedsThem() throws {
    let store = try open()
    let (one, two) = (try store.makeApp("com.example.one"), try store.makeApp("com.example.two"))
    let shared = pattern(500)
    let first = try store.createPack(app: one.id, identifier: "a", actor: store.actor)
    let second = try store.createPack(app: two.id, identifier: "b", actor: store.actor)
    try store.makeVersion(first, content: shared)
    for size in [1, 2] { try store.makeVersion(first, content: pattern(size)) }
    try store.makeVersion(second, content: shared)
    #expect(try store.quotaUsage(app: one.id).reclaimable == 0)
    let report = try store.collect(app: one.id, actor: store.actor)
    #expect(report.collected.map(\.number) == [1])
    #expect(report.removedBlobs == 0 && report.freedBytes == 0)
    #expect(try exists(shared, store))
    // Also between the versions of one pack.
    try store.makeVersion(first, content: shared)
    for size in [3, 4, 5] { try store.makeVersion(second, content: pattern(size)) }
    _ = try store.collect(actor: store.actor)
    #expect(try exists(shared, store))
    for size in [6, 7] { try store.makeVersion(first, content: pattern(size)) }
    _ = try store.collect(actor: store.actor)
    #expect(try !exists(shared, store))
  }

  @Test func whatIsOpenCanBeReadOn() throws {
    let store = try open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let content = pattern(3000)
    let version = try store.makeVersion(pack, content: content)
    let file = try store.blobs.openBlob(Digest.sha256Text(content), size: 3000)
    for size in [1, 2] { try store.makeVersion(pack, content: pattern(size)) }
    #expect(try store.collect(actor: store.actor).collected.map(\.number) == [1])
    #expect(try store.version(version.id).collected != nil)
    #expect(try !exists(content, store))
    var read = [UInt8](repeating: 0, count: 3000)
    let count = read.withUnsafeMutableBytes { pread(file.raw, $0.baseAddress, $0.count, 0) }
    #expect(count == 3000 && read == content)
  }

  /// Where a kill may come, and what is there of the blob then.
  @Test(arguments: ["marked", "unlinked", "before"]) func aKillAtAnyStepIsFinishedByTheNextRun(place: String) throws {
    let content = pattern(900)
    do {
      let store = try open()
      let app = try store.makeApp()
      let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
      try store.makeVersion(pack, content: content)
      for size in [1, 2] { try store.makeVersion(pack, content: pattern(size)) }
      if place != "before" {
        #expect(try store.giveUpVersions(app: nil, actor: store.actor).collected.map(\.number) == [1])
      }
      if place == "unlinked" { try store.blobs.removeBlob(Digest.sha256Text(content)) }
      // The store goes away here without having finished, as after a kill.
    }
    let store = try open()
    _ = try store.recover()
    let served = try store.liveState().apps[0].versions.map(\.number)
    #expect(served == (place == "before" ? [1, 2, 3] : [2, 3]))
    for version in try store.liveState().apps[0].versions {
      _ = try store.blobs.openBlob(version.sha256, size: version.size)
    }
    let report = try store.collect(actor: store.actor)
    #expect(report.removedBlobs == 1 && report.freedBytes == 900)
    #expect(try !exists(content, store))
    #expect(try store.collect(actor: store.actor) == CollectionReport())
    #expect(try store.serverUsage().stored == 3)
  }

  /// The same bytes come again at each step of their collection.
  @Test(arguments: ["marked", "unlinked", "gone"]) func bytesThatComeAgainAreThere(place: String) throws {
    let store = try open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let content = pattern(900)
    let first = try store.makeVersion(pack, content: content)
    for size in [1, 2] { try store.makeVersion(pack, content: pattern(size)) }
    if place == "gone" {
      _ = try store.collect(actor: store.actor)
    } else {
      _ = try store.giveUpVersions(app: nil, actor: store.actor)
      if place == "unlinked" { try store.blobs.removeBlob(Digest.sha256Text(content)) }
    }
    let again = try store.makeVersion(pack, content: content)
    var report = CollectionReport()
    try store.removeMarkedBlobs(&report)
    #expect(report.removedBlobs == 0)
    #expect(try exists(content, store))
    // The version that was given up stays so: its number and its bytes do not come back.
    #expect(try store.version(first.id).collected != nil)
    #expect(try store.version(again.id).collected == nil)
    _ = try store.release(app: app.id, track: .production, packs: [ReleaseItem("a")], actor: store.actor)
    _ = try store.collect(actor: store.actor)
    #expect(try exists(content, store))
  }

  /// Between the adoption and the last transaction of an upload nothing but the upload's row names the blob.
  @Test func anUploadInProcessingHoldsOnToItsBlob() throws {
    let store = try open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let content = pattern(900)
    let version = try store.createVersion(pack: pack.id, actor: store.actor)
    let upload = try store.upload(content, version: version.id)
    try store.adoptUpload(upload.id, sha256: Digest.sha256Text(content), size: 900)
    #expect(try store.collect(actor: store.actor) == CollectionReport())
    #expect(try store.completeProcessing(version: version.id, facts: store.facts(content)).state == .complete)
  }

  @Test func pushesWhileCollectionsRunLoseNothing() async throws {
    let store = try open()
    let app = try store.makeApp()
    let contents = [pattern(300, seed: 7), pattern(300, seed: 8), pattern(300, seed: 9)]
    let done = Collected<Bool>()
    let collector = Task.detached {
      var removed = 0
      while done.all.isEmpty {
        removed += try store.collect(actor: store.actor).removedBlobs
        await Task.yield()
      }
      return removed
    }
    try await withThrowingTaskGroup { group in
      for name in ["a", "b"] {
        group.addTask {
          let pack = try store.createPack(app: app.id, identifier: name, actor: store.actor)
          for round in 0..<20 {
            let content = contents[(round + (name == "a" ? 0 : 1)) % 3]
            let version = try store.makeVersion(pack, content: content)
            #expect(version.state == .complete)
            _ = try store.blobs.openBlob(Digest.sha256Text(content), size: 300)
          }
        }
      }
      do { try await group.waitForAll() } catch {
        done.add(true)
        throw error
      }
    }
    done.add(true)
    _ = try await collector.value
    for version in try store.liveState().apps[0].versions {
      _ = try store.blobs.openBlob(version.sha256, size: version.size)
    }
  }

  @Test func nothingGoesLiveFromBytesThatAreGone() throws {
    let store = try open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let first = try store.makeVersion(pack, content: pattern(900))
    for size in [1, 2] { try store.makeVersion(pack, content: pattern(size)) }
    _ = try store.collect(actor: store.actor)
    for sql in [
      "UPDATE releases SET state = 'READY_FOR_DISTRIBUTION' WHERE version_id = '\(first.id)' AND track = 'production'",
      "UPDATE versions SET collected = NULL WHERE id = '\(first.id)'",
      "INSERT INTO versions (id, pack_id, number, state, created, changed, sha256) VALUES "
        + "('x', '\(pack.id)', 99, 'PROCESSING', 0, 0, '\(first.sha256 ?? "")')",
    ] {
      #expect(throws: StoreFailure.self) {
        try store.catalog.write { (connection) throws(StoreFailure) in try connection.run(sql) }
      }
    }
  }

  @Test func aVersionThatIsNeededAgainIsNotMarkedAnyMore() throws {
    let store = try open(Retention(supersededVersions: 1, supersededTime: 0, grace: 50))
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    for size in 1...4 { try store.makeVersion(pack, content: pattern(size)) }
    #expect(try store.collect(actor: store.actor).waiting.map(\.number) == [1, 2])
    _ = try store.release(app: app.id, track: .beta, packs: [ReleaseItem("a", number: 1)], actor: store.actor)
    temporary.time.advance(49)
    #expect(try store.collect(actor: store.actor).waiting.map(\.number) == [2])
    _ = try store.release(app: app.id, track: .beta, packs: [ReleaseItem("a", number: 3)], actor: store.actor)
    // 2 is the newest spare one now, and the grace of 1 begins anew.
    let report = try store.collect(actor: store.actor)
    #expect(report.waiting.map(\.number) == [1])
    #expect(report.waiting.map(\.due) == [temporary.time.clock.now() + 50])
  }

  /// A draft has not changed the release of a beta version, but its author counts on the bytes.
  @Test(arguments: [Track.beta, .production]) func whatStandsInAReviewStays(track: Track) throws {
    let store = try open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let versions = try (1...4).map { try store.makeVersion(pack, content: pattern($0)) }
    let draft = try store.createReviewSubmission(app: app.id, track: track, actor: store.actor)
    _ = try store.addReviewItem(submission: draft.id, version: versions[0].id, actor: store.actor)
    #expect(try store.collect(actor: store.actor).collected.map(\.number) == [2])
    let other = try store.createReviewSubmission(app: app.id, track: .beta, actor: store.actor)
    #expect(throws: StoreFailure.versionCollected(pack: "a", number: 2)) {
      _ = try store.addReviewItem(submission: other.id, version: versions[1].id, actor: store.actor)
    }
  }
}
