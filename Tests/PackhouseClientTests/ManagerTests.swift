import Foundation
import Testing
import TestSupport

@testable import PackhouseClient

@Suite(.waits) struct ManagerTests {
  let fixture: ClientFixture
  var server: ScriptedServer { fixture.server }

  init() throws { fixture = try ClientFixture() }

  private func failure(_ body: () async throws -> Void) async -> ManagedBackgroundAssetsError? {
    do { try await body() } catch { return error as? ManagedBackgroundAssetsError }
    return nil
  }

  // MARK: Status

  @Test func theStatusFollowsManifestAndCache() async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await manager.manifest()
    #expect(try await manager.status(ofAssetPackWithID: "a") == .downloadAvailable)
    try await fixture.ensure("a", with: manager)
    #expect(try await manager.status(ofAssetPackWithID: "a") == [.downloaded, .upToDate])
    try server.serve("a", version: 2)
    try await manager.manifest()
    #expect(try await manager.status(ofAssetPackWithID: "a") == [.downloaded, .outOfDate, .updateAvailable])
    try server.serve("b")
    server.withdraw("a")
    try await manager.manifest()
    #expect(try await manager.status(ofAssetPackWithID: "a") == [.downloaded, .obsolete])
    #expect(
      await failure { _ = try await manager.status(ofAssetPackWithID: "c") } == .assetPackNotFound(withID: "c"))
  }

  @Test func aManifestThatGoesBackIsNoUpdate() async throws {
    try server.serve("a", version: 2)
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    try server.serve("a", version: 1)
    #expect(try await manager.checkForUpdates().updating == [])
    #expect(try await manager.status(ofAssetPackWithID: "a") == [.downloaded, .upToDate])
  }

  @Test func anOlderVersionIsEnoughUnlessTheLatestIsRequired() async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    try server.serve("a", version: 2)
    try await manager.manifest()
    try await fixture.ensure("a", with: manager)
    #expect(fixture.version("a", manager) == "1")
    try await fixture.ensure("a", with: manager, latest: true)
    #expect(fixture.version("a", manager) == "2")
    #expect(fixture.folder.files("cache/packs").filter { $0.hasSuffix("data.bin") }.count == 1)
  }

  @Test func listenersHearWhatHappens() async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    let updates = manager.statusUpdates
    try await fixture.ensure("a", with: manager)
    server.fail("a", .status(404))
    try server.serve("a", version: 2)
    try await manager.manifest()
    _ = await failure { try await fixture.ensure("a", with: manager, latest: true) }
    manager.endStatusUpdates()
    var seen: [String] = []
    for await update in updates {
      switch update {
      case .began(let pack): seen.append("began \(pack.version)")
      case .paused: seen.append("paused")
      case .downloading(_, let progress): if progress.fractionCompleted == 1 { seen.append("all") }
      case .finished: seen.append("finished")
      case .failed: seen.append("failed")
      }
    }
    #expect(seen == ["began 1", "all", "finished", "began 2", "failed"])
  }

  // MARK: Files

  @Test func allPacksShareOneTreeAndTheFirstIdWins() async throws {
    for id in ["b", "a"] {
      let bytes = try TestPack.make(id, [("both.txt", Array(id.utf8)), ("only/\(id).txt", Array(id.utf8))])
      server.serve(id, ScriptedServer.Served(version: 1, bytes: bytes))
    }
    let manager = try fixture.manager()
    try await fixture.ensure("b", "a", with: manager)
    #expect(try manager.contents(at: "both.txt").bytes == Array("a".utf8))
    #expect(try manager.contents(at: "both.txt", searchingInAssetPackWithID: "b").bytes == Array("b".utf8))
    #expect(try manager.contents(at: "only/b.txt").bytes == Array("b".utf8))
    let url = try manager.url(for: "only/b.txt")
    #expect(url.hasPrefix("file:///") && url.hasSuffix("/files/only/b.txt"))
    let mapped = try manager.contents(at: "only/b.txt")
    try await manager.remove(assetPackWithID: "b")
    #expect(mapped.bytes == Array("b".utf8), "a mapped file outlives its pack")
    for path in ["only/b.txt", "only", "", "../lock", "/etc/passwd", "only/../only/a.txt", "a\0b"] {
      #expect(throws: ManagedBackgroundAssetsError.fileNotFound(at: path)) { try manager.contents(at: path) }
    }
    #expect(throws: ManagedBackgroundAssetsError.assetPackNotFound(withID: "b")) {
      try manager.contents(at: "both.txt", searchingInAssetPackWithID: "b")
    }
    #expect(await failure { try await manager.remove(assetPackWithID: "b") } == .assetPackNotFound(withID: "b"))
  }

  @Test(arguments: ["../../evil", ".", "a/b", String(repeating: "long", count: 100), "Ä ö"])
  func anyIdStaysInsideTheCache(id: String) async throws {
    let bytes = try TestPack.make("x", [("x.txt", [1])])
    server.state.withLock {
      $0.packs["evil"] = ScriptedServer.Served(version: 1, bytes: bytes)
      $0.manifest = """
        {"assetPacks":[{"id":"\(id)","version":1,"downloadSize":\(bytes.count),"downloadPolicy":{"onDemand":{}},\
        "url":"\(ScriptedServer.base)packs/1/evil","host":{"thirdParty":{}}}]}
        """
    }
    let manager = try fixture.manager()
    try await fixture.ensure(id, with: manager)
    #expect(try manager.contents(at: "x.txt").bytes == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["cache"])
  }

  // MARK: Several at once

  @Test func twoManagersOfOneCacheDownloadAPackOnce() async throws {
    try server.serve("a", size: 400_000)
    let first = try fixture.manager()
    let second = try fixture.manager()
    async let one: Void = fixture.ensure("a", with: first)
    async let two: Void = fixture.ensure("a", with: second)
    async let three: Void = fixture.ensure("a", with: first)
    _ = try await (one, two, three)
    #expect(server.log.filter { $0 == "a" }.count == 1)
    #expect(fixture.version("a", second) == "1")
  }

  @Test func aPausedDownloadGoesOnWhereItStopped() async throws {
    try server.serve("a")
    server.fail("a", .hold(48_000))
    let manager = try fixture.manager()
    let updates = manager.statusUpdates
    let download = Task { try await fixture.ensure("a", with: manager) }
    for await update in updates {
      if case .downloading(_, let progress) = update, progress.completed >= 48_000 { break }
    }
    let rest = manager.statusUpdates
    await manager.pauseDownload(ofAssetPackWithID: "a")
    for await update in rest { if case .paused = update { break } }
    #expect(try await manager.status(ofAssetPackWithID: "a") == .downloadAvailable)
    await manager.resumeDownload(ofAssetPackWithID: "a")
    try await download.value
    #expect(server.log == ["manifest", "a", "a bytes=48000-"])
  }

  @Test func aCancelledDownloadKeepsWhatCame() async throws {
    try server.serve("a")
    server.fail("a", .hold(48_000))
    let manager = try fixture.manager()
    let updates = manager.statusUpdates
    let download = Task { try await fixture.ensure("a", with: manager) }
    for await update in updates {
      if case .downloading(_, let progress) = update, progress.completed >= 48_000 { break }
    }
    download.cancel()
    #expect(await failure { try await download.value } == .cancelled)
    try await fixture.ensure("a", with: manager)
    #expect(server.log == ["manifest", "a", "a bytes=48000-"])
  }

  @Test func noMoreThanTheConfiguredDownloadsRunAtOnce() async throws {
    for id in ["a", "b", "c"] {
      try server.serve(id)
      server.fail(id, .hold(16_000))
    }
    let manager = try fixture.manager { $0.concurrentDownloads = 2 }
    let updates = manager.statusUpdates
    try await manager.manifest()
    async let all: Void = fixture.ensure("a", "b", with: manager)
    async let other: Void = fixture.ensure("b", with: manager)
    async let more: Void = fixture.ensure("c", with: manager)
    var begun = 0
    for await update in updates {
      if case .began = update { begun += 1 }
      if begun == 2 { break }
    }
    #expect(server.log.filter { $0 != "manifest" }.count <= 2)
    server.release()
    _ = try await (all, other, more)
    #expect(try manager.localAssetPackIDs() == ["a", "b", "c"])
  }
}
