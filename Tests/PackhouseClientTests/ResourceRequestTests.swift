import Foundation
import Testing
import TestSupport

@testable import PackhouseClient

@Suite(.waits) struct ResourceRequestTests {
  let fixture: ClientFixture
  var server: ScriptedServer { fixture.server }

  init() throws {
    fixture = try ClientFixture()
    try server.serve("forest", size: 100_000, userInfo: #"{"tags":["level-1","green"]}"#)
    try server.serve("music", size: 100_000, userInfo: #"{"tags":["level-1","level-2"],"preservationPriority":0.5}"#)
    try server.serve("desert", size: 100_000, userInfo: #"{"tags":["level-2"]}"#)
  }

  private func failure(_ body: () async throws -> Void) async -> ManagedBackgroundAssetsError? {
    do { try await body() } catch { return error as? ManagedBackgroundAssetsError }
    return nil
  }

  @Test func aTagMeansAllPacksThatCarryIt() async throws {
    let manager = try fixture.manager()
    let request = ResourceRequest(tags: ["level-1"], manager: manager)
    #expect(try await !request.conditionallyBeginAccessing())
    #expect(!request.isAccessing)
    try await request.beginAccessing()
    #expect(request.isAccessing)
    #expect(try manager.localAssetPackIDs() == ["forest", "music"])
    #expect(await request.progress().fractionCompleted == 1)
    let other = ResourceRequest(tags: ["green", "level-1"], manager: manager)
    #expect(try await other.conditionallyBeginAccessing())
    // Without a pack that lists it, a tag is a pack's id.
    let byID = ResourceRequest(tags: ["desert"], manager: manager)
    try await byID.beginAccessing()
    #expect(fixture.version("desert", manager) == "1")
  }

  @Test func aTagOfNoPackIsNamed() async throws {
    let request = ResourceRequest(tags: ["level-1", "level-9"], manager: try fixture.manager())
    #expect(await failure { try await request.beginAccessing() } == .onDemandResourceInvalidTag("level-9"))
    #expect(!request.isAccessing)
  }

  @Test func whatIsClaimedStaysWhateverHappensToThePack() async throws {
    let manager = try fixture.manager()
    let first = ResourceRequest(tags: ["green"], manager: manager)
    let second = ResourceRequest(tags: ["green"], manager: try fixture.manager())
    try await first.beginAccessing()
    try await second.beginAccessing()
    let path = try manager.path(for: "forest/version.txt")
    try await manager.remove(assetPackWithID: "forest")
    #expect(FileManager.default.fileExists(atPath: path))
    first.endAccessing()
    manager.cache.sweep()
    #expect(FileManager.default.fileExists(atPath: path), "the second claim counts")
    second.endAccessing()
    manager.cache.sweep()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func roomIsMadeByPriorityThenByLastUse() async throws {
    for id in ["a", "b", "c", "d"] { try server.serve(id, size: 100_000) }
    let manager = try fixture.manager { $0.diskBudget = 320_000 }
    try await fixture.ensure("a", "music", "b", with: manager)
    _ = try manager.contents(at: "a/version.txt")
    // "b" was used last before "a"; "music" is worth more.
    try await fixture.ensure("c", with: manager)
    #expect(try manager.localAssetPackIDs() == ["a", "c", "music"])
    try manager.setPreservationPriority(0.9, forTags: ["a"])
    #expect(try manager.preservationPriority(forTag: "a") == 0.9)
    #expect(try manager.preservationPriority(forTag: "level-2") == 0.5)
    try await fixture.ensure("d", with: manager)
    #expect(try manager.localAssetPackIDs() == ["a", "d", "music"])
    try await fixture.ensure("b", with: fixture.manager { $0.diskBudget = 320_000 })
    #expect(try manager.localAssetPackIDs() == ["a", "b", "music"])
    try await fixture.ensure("d", with: manager)
    try manager.setPreservationPriority(1, forTags: ["d"])
    try await fixture.ensure("c", with: manager)
    #expect(try manager.localAssetPackIDs() == ["a", "c", "d"], "the music was worth least at last")
  }

  @Test func whatIsClaimedIsNeverPurgedAndItsUsersAreWarned() async throws {
    let manager = try fixture.manager { $0.diskBudget = 220_000 }
    let warnings = manager.lowDiskSpaceNotifications
    let request = ResourceRequest(tags: ["level-1"], manager: manager)
    try await request.beginAccessing()
    let budget = await failure { try await fixture.ensure("desert", with: manager) }
    guard case .onDemandResourceOutOfSpace("desert", _, 220_000)? = budget else {
      Issue.record("\(budget.map { "\($0)" } ?? "no error")")
      return
    }
    var iterator = warnings.makeAsyncIterator()
    #expect(await iterator.next() == LowDiskSpace(assetPackID: "desert"))
    #expect(try manager.localAssetPackIDs() == ["forest", "music"])
    #expect(fixture.folder.files("cache/staging").isEmpty)
    request.endAccessing()
    try await fixture.ensure("desert", with: manager)
    #expect(try manager.localAssetPackIDs() == ["desert", "music"])
  }

  @Test func whoLetsGoAfterTheWarningMakesRoom() async throws {
    let manager = try fixture.manager {
      $0.diskBudget = 220_000
      $0.lowDiskSpacePatience = .seconds(60)
    }
    let warnings = manager.lowDiskSpaceNotifications
    let request = ResourceRequest(tags: ["level-1"], manager: manager)
    try await request.beginAccessing()
    let listener = Task {
      for await _ in warnings {
        request.endAccessing()
        break
      }
    }
    try await fixture.ensure("desert", with: manager)
    await listener.value
    #expect(fixture.version("desert", manager) == "1")
  }

  @Test func essentialPacksAreNotPurged() async throws {
    try server.serve("core", size: 100_000, policy: Policy.essentialFirst)
    let manager = try fixture.manager { $0.diskBudget = 220_000 }
    try await fixture.ensure("core", "forest", "desert", with: manager)
    #expect(try manager.localAssetPackIDs() == ["core", "desert"])
  }

  @Test func aPackLargerThanTheBudgetPushesNothingOut() async throws {
    try server.serve("huge", size: 400_000)
    let manager = try fixture.manager { $0.diskBudget = 220_000 }
    try await fixture.ensure("forest", "desert", with: manager)
    #expect(await failure { try await fixture.ensure("huge", with: manager) } != nil)
    #expect(try manager.localAssetPackIDs() == ["desert", "forest"])
  }

  @Test func aDownloadThatTheDiskCannotHoldIsNotBegun() async throws {
    server.state.withLock { $0.packs["desert"]?.size = 1 << 43 }
    let manager = try fixture.manager { $0.diskBudget = 1 << 43 }
    let warnings = manager.lowDiskSpaceNotifications
    try await fixture.ensure("forest", with: manager)
    guard case .diskFull? = await failure({ try await fixture.ensure("desert", with: manager) }) else {
      Issue.record("expected a full disk")
      return
    }
    var iterator = warnings.makeAsyncIterator()
    #expect(await iterator.next() == LowDiskSpace(assetPackID: "desert"))
    #expect(!server.log.contains("desert"))
    #expect(try manager.localAssetPackIDs() == ["forest"], "nothing went for what cannot fit")
  }

  @Test func anUrgentRequestDoesNotWaitForAPlace() async throws {
    server.fail("forest", .hold(16_000))
    let manager = try fixture.manager { $0.concurrentDownloads = 1 }
    try await manager.manifest()
    let updates = manager.statusUpdates
    let slow = Task { try await fixture.ensure("forest", with: manager) }
    for await update in updates { if case .began = update { break } }
    let urgent = ResourceRequest(tags: ["desert"], manager: manager)
    urgent.loadingPriority = .urgent
    try await urgent.beginAccessing()
    #expect(try manager.localAssetPackIDs() == ["desert"])
    server.release()
    try await slow.value
  }

  @Test func aRaisedPriorityOvertakesWhileOthersLoad() async throws {
    server.fail("forest", .hold(16_000))
    let manager = try fixture.manager { $0.concurrentDownloads = 1 }
    try await manager.manifest()
    let updates = manager.statusUpdates
    let slow = Task { try await fixture.ensure("forest", with: manager) }
    for await update in updates { if case .began = update { break } }
    let request = ResourceRequest(tags: ["desert"], manager: manager)
    request.loadingPriority = 0.1
    let loading = Task { try await request.beginAccessing() }
    while await manager.progress(ofDownload: "desert") == nil { await Task.yield() }
    request.loadingPriority = .urgent
    try await loading.value
    #expect(request.isAccessing)
    server.release()
    try await slow.value
  }

  @Test func progressIsToldWhileItChanges() async throws {
    let manager = try fixture.manager { $0.concurrentDownloads = 1 }
    let request = ResourceRequest(tags: ["level-1"], manager: manager)
    let updates = request.progressUpdates
    let loading = Task { try await request.beginAccessing() }
    var last = -1.0
    for await progress in updates {
      #expect(progress.fractionCompleted >= last)
      last = progress.fractionCompleted
      if last == 1 { break }
    }
    try await loading.value
    #expect(last == 1)
  }

  @Test func aCancelledRequestHoldsNothing() async throws {
    server.fail("desert", .hold(16_000))
    let manager = try fixture.manager()
    let request = ResourceRequest(tags: ["level-2"], manager: manager)
    let updates = manager.statusUpdates
    let loading = Task { try await request.beginAccessing() }
    for await update in updates {
      if case .downloading(let pack, let progress) = update, pack.id == "desert", progress.completed >= 16_000 { break }
    }
    request.cancel()
    #expect(await failure { try await loading.value } == .cancelled)
    #expect(!request.isAccessing)
    try await request.beginAccessing()
    #expect(request.isAccessing)
  }

  @Test func prioritiesAreCut() {
    #expect(LoadingPriority(2).value == 1)
    #expect(LoadingPriority(-1).value == 0)
    #expect(LoadingPriority(.nan).value == 0)
    #expect(LoadingPriority.urgent > 1)
  }
}
