import AssetPacks
import Foundation
import Testing

@testable import PackStore

@Suite final class PreviewReleaseTests {
  let temporary = TemporaryStore()
  let store: PackStore
  let app: AppRecord

  init() throws {
    store = try temporary.open()
    app = try store.makeApp()
  }

  deinit { temporary.remove() }

  func pack(_ identifier: String) throws -> PackRecord {
    try store.createPack(app: app.id, identifier: identifier, actor: store.actor)
  }

  func preview(
    _ items: ReleaseItem..., confirmed: Set<String> = [], allowances: DownloadAllowances = DownloadAllowances()
  ) throws -> ReleasePreview {
    try store.previewRelease(
      app: app.id, track: .production, packs: items, confirmedRemovals: confirmed, allowances: allowances)
  }

  @Test func aPreviewTellsEachPlatformAndChangesNothing() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, content: pattern(100), platforms: [.iOS])
    try store.makeVersion(b, content: pattern(10))
    _ = try store.release(
      app: app.id, track: .production, packs: [ReleaseItem("a"), ReleaseItem("b")], actor: store.actor)
    try store.makeVersion(a, content: pattern(150), platforms: [.iOS])
    let (before, lines) = (try store.liveState(), try store.auditLog().total)
    let result = try preview(ReleaseItem("a"), allowances: DownloadAllowances([.download: 159, .maximumInstall: 320]))
    #expect(try store.liveState() == before && store.auditLog().total == lines)
    #expect(
      result.packs == [
        .init(
          assetPackIdentifier: "a", number: 2, previousNumber: 1, downloadSize: 150, installSize: 300,
          policy: "onDemand")
      ])
    #expect(result.devices.map(\.scope.name) == ["all", "iOS", "macOS", "tvOS", "visionOS"])
    let iOS = try #require(result.devices.first { $0.scope == .platform(.iOS) })
    #expect(iOS.cost.update.onDemand.downloadBytes == 150)
    #expect(iOS.cost.firstInstallation.onDemand.downloadBytes == 160)
    #expect(iOS.cost.updated == ["a"])
    #expect(iOS.checks.map(\.fits) == [false, true])
    let tvOS = try #require(result.devices.first { $0.scope == .platform(.tvOS) })
    #expect(tvOS.cost.update == ReleaseCost.ByPolicy())
    #expect(result.warnings.map(\.code) == ["ALLOWANCE_EXCEEDED", "ALLOWANCE_EXCEEDED"])
    #expect(result.refusal == nil)
  }

  @Test func whatWouldBeRefusedIsSaid() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, platforms: [.iOS, .macOS])
    try store.makeVersion(b, platforms: [.iOS, .macOS])
    _ = try store.release(
      app: app.id, track: .production, packs: [ReleaseItem("a"), ReleaseItem("b")], actor: store.actor)
    try store.makeVersion(a, platforms: [.iOS])
    let shrinking = try preview(ReleaseItem("a"))
    #expect(shrinking.refusal?.code == .manifestWouldShrink && shrinking.warnings.isEmpty)
    #expect(shrinking.devices.first { $0.scope == .platform(.macOS) }?.cost.disappearing == ["a"])
    let confirmed = try preview(ReleaseItem("a"), confirmed: ["a"])
    #expect(confirmed.refusal == nil && confirmed.warnings.map(\.code) == ["MANIFEST_WOULD_SHRINK"])
    try store.makeVersion(b, platforms: [.iOS])
    let empty = try preview(ReleaseItem("a"), ReleaseItem("b"), confirmed: ["a", "b"])
    #expect(empty.refusal?.code == .manifestWouldBeEmpty)
    try store.makeVersion(a)
    _ = try store.release(app: app.id, track: .production, packs: [ReleaseItem("a", number: 3)], actor: store.actor)
    #expect(try preview(ReleaseItem("a", number: 2), confirmed: ["a"]).refusal?.code == .versionWouldFall)
    _ = try store.updateApp(app.id, reviewPolicy: .required, actor: store.actor)
    #expect(try preview(ReleaseItem("a")).refusal?.code == .reviewRequired)
    #expect(throws: StoreFailure.self) { _ = try preview(ReleaseItem("nobody")) }
  }

  /// What a preview promises is what the release does.
  @Test func theReleaseAgreesWithItsPreview() throws {
    let a = try pack("a")
    for (number, platforms) in [[.iOS], [.iOS, .tvOS], [], [.macOS]].enumerated() as EnumeratedSequence<[[Platform]]> {
      try store.makeVersion(a, content: pattern(number + 1), platforms: platforms)
      let foreseen = try preview(ReleaseItem("a"))
      let outcome = Result {
        try store.release(app: app.id, track: .production, packs: [ReleaseItem("a")], actor: store.actor)
      }
      #expect((foreseen.refusal != nil) == ((try? outcome.get()) == nil))
    }
  }
}
