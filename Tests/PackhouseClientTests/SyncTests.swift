import Foundation
import Testing
import TestSupport

@testable import PackhouseClient

@Suite(.waits) struct SyncTests {
  let fixture: ClientFixture
  var server: ScriptedServer { fixture.server }

  init() throws { fixture = try ClientFixture() }

  private func failure(_ body: () async throws -> Void) async -> ManagedBackgroundAssetsError? {
    do { try await body() } catch { return error as? ManagedBackgroundAssetsError }
    return nil
  }

  @Test func policiesSayWhatIsDownloadedAndWhen() async throws {
    try server.serve("d-demand")
    try server.serve("c-prefetch", policy: Policy.prefetchFirst)
    try server.serve("b-update", policy: Policy.prefetchUpdate)
    try server.serve("e-essential", policy: Policy.essentialBoth)
    let manager = try fixture.manager { $0.concurrentDownloads = 1 }
    let first = try await manager.sync(at: .firstInstallation)
    #expect(first.downloaded == ["e-essential", "c-prefetch"])
    #expect(first.failures.isEmpty)
    let again = try await manager.sync(at: .firstInstallation)
    #expect(again.downloaded == [] && again.upToDate == ["e-essential", "c-prefetch"])
    try server.serve("e-essential", version: 2, policy: Policy.essentialBoth)
    let update = try await manager.sync(at: .subsequentUpdate)
    #expect(update.downloaded == ["e-essential", "b-update"])
    #expect(server.log.filter { $0 != "manifest" } == ["e-essential", "c-prefetch", "e-essential", "b-update"])
  }

  @Test func packsToPrefetchComeInTheirOrder() async throws {
    for (id, order) in [("a", nil), ("b", 2), ("c", 1), ("d", nil)] as [(String, Int?)] {
      try server.serve(id, policy: Policy.prefetchFirst, userInfo: order.map { #"{"prefetchOrder":\#($0)}"# })
    }
    let manager = try fixture.manager { $0.concurrentDownloads = 1 }
    _ = try await manager.sync(at: .firstInstallation)
    #expect(server.log == ["manifest", "c", "b", "a", "d"])
  }

  @Test func updatesFetchOnlyWhatHasANewerVersion() async throws {
    for id in ["a", "b", "c"] { try server.serve(id) }
    let manager = try fixture.manager()
    try await fixture.ensure("a", "b", with: manager)
    try server.serve("b", version: 2)
    server.clearLog()
    let found = try await manager.checkForUpdates()
    #expect(found.updating == ["b"] && found.removed == [])
    try await fixture.ensure("b", with: manager, latest: true)
    #expect(server.log == ["manifest", "b"])
    #expect(fixture.version("b", manager) == "2")
  }

  @Test func aShorterManifestRemovesWhatItDoesNotList() async throws {
    for id in ["a", "b"] { try server.serve(id) }
    let manager = try fixture.manager()
    try await fixture.ensure("a", "b", with: manager)
    server.withdraw("b")
    #expect(try await manager.checkForUpdates().removed == ["b"])
    #expect(fixture.version("b", manager) == nil)
    #expect(fixture.version("a", manager) == "1")
    #expect(!fixture.folder.files("cache/packs").contains { $0.contains("b.1") })
  }

  @Test(arguments: [
    "", "[]", "{}", "<html></html>", #"{"assetPacks":[{"id":"b"}]}"#, #"{"assetPacks":null}"#, #"{"assetPacks":[]}"#,
  ])
  func aManifestThatCannotBeMeantChangesNothing(text: String) async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    server.state.withLock { $0.manifest = text }
    let error = await failure { _ = try await manager.checkForUpdates() }
    if text.contains("[]}") {
      #expect(error == .emptyManifest(localPacks: 1))
    } else {
      guard case .malformedManifest? = error else {
        Issue.record("\(text): \(error.map { "\($0)" } ?? "no error")")
        return
      }
    }
    #expect(await failure { _ = try await manager.sync(at: .firstInstallation) } == error)
    #expect(fixture.version("a", try fixture.manager()) == "1")
    server.state.withLock { $0.manifest = nil }
    #expect(try await manager.checkForUpdates().removed == [])
  }

  @Test(arguments: [0, 404, 500, 503]) func anOutageChangesNothing(status: Int) async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    server.state.withLock { $0.manifestStatus = status }
    #expect(await failure { _ = try await manager.checkForUpdates() } != nil)
    let next = try fixture.manager()
    #expect(fixture.version("a", next) == "1")
    #expect(try await next.status(ofAssetPackWithID: "a") == [.downloaded, .upToDate])
  }

  @Test func anEmptyManifestCountsWhenItIsMeant() async throws {
    try server.serve("a")
    let manager = try fixture.manager { $0.acceptsEmptyManifest = true }
    try await fixture.ensure("a", with: manager)
    server.state.withLock { $0.manifest = #"{"assetPacks":[]}"# }
    #expect(try await manager.checkForUpdates().removed == ["a"])
  }

  @Test func anEmptyCacheTakesAnEmptyManifest() async throws {
    server.state.withLock { $0.manifest = #"{"assetPacks":[]}"# }
    let outcome = try await fixture.manager().sync(at: .firstInstallation)
    #expect(outcome.downloaded.isEmpty && outcome.failures.isEmpty)
  }

  // MARK: Allowances

  @Test func essentialAndOtherPacksHaveAnAllowanceEach() async throws {
    try server.serve("e", size: 1000, policy: Policy.essentialFirst)
    for id in ["p", "q", "r"] {
      try server.serve(id, size: id == "q" ? 50_000 : 10_000, policy: Policy.prefetchFirst)
    }
    let size = server.state.withLock { state in Int64(state.packs["p"]?.bytes.count ?? 0) }
    let manager = try fixture.manager {
      $0.restrictions.downloadAllowance = size + 5000
      $0.restrictions.essentialDownloadAllowance = 10
    }
    let outcome = try await manager.sync(at: .firstInstallation)
    #expect(outcome.downloaded == ["p"])
    #expect(outcome.failures.map(\.id) == ["e", "q", "r"])
    #expect(outcome.failures.map(\.error.deviceCode) == [203, 203, 204])
    // What the app asks for itself is not restricted.
    try await fixture.ensure("r", with: manager)
    #expect(fixture.version("r", manager) == "1")
  }

  @Test func theInstallSizeCountsUnpackedBytes() async throws {
    // Zeros: small to download, large to install.
    for id in ["a", "b", "c"] {
      let bytes = try TestPack.make(id, [("\(id)/zeros", [UInt8](repeating: 0, count: id == "c" ? 10 : 300_000))])
      server.serve(id, ScriptedServer.Served(version: 1, bytes: bytes, policy: Policy.prefetchFirst))
    }
    let manager = try fixture.manager {
      $0.restrictions.maxInstallSize = 400_000
      $0.restrictions.downloadAllowance = 100_000
    }
    let outcome = try await manager.sync(at: .firstInstallation)
    #expect(outcome.downloaded == ["a", "c"])
    #expect(outcome.failures.map(\.error) == [.installSizeExceeded(pack: "b", left: 100_000)])
    #expect(fixture.folder.files("cache/staging").isEmpty)
  }
}
