import AssetPacks
import Foundation
import Testing

@testable import PackStore

/// No pack leaves a live manifest, on any track and platform, without being named.
@Suite final class RemovalGuardTests {
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

  func listed(_ track: Track, _ scope: ManifestScope) throws -> [String]? {
    guard let record = try store.manifest(app: app.id, track: track, scope: scope) else { return nil }
    let root = try storedJSON(String(decoding: record.bytes, as: UTF8.self), column: "test")
    return root["assetPacks"]?.array?.map { "\($0["id"]?.string ?? "?") \($0["version"]?.int ?? -1)" }
  }

  /// A version that drops a platform is live for the others at once; where it would take the pack away, the version
  /// before stays until somebody says so.
  @Test func aCompleteVersionTakesNoPackFromAPlatformByItself() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, platforms: [.iOS, .macOS])
    try store.makeVersion(b, platforms: [.iOS, .macOS])
    let second = try store.makeVersion(a, platforms: [.iOS])
    #expect(second.messages.contains { $0.code == "MANIFEST_KEPT" && $0.description.contains("macOS") })
    #expect(try listed(.internal, .platform(.iOS)) == ["a 2", "b 1"])
    #expect(try listed(.internal, .platform(.macOS)) == ["a 1", "b 1"])
    // Another pack's version neither repeats the warning nor loses the entry.
    let other = try store.makeVersion(b, platforms: [.iOS, .macOS])
    #expect(!other.messages.contains { $0.code == "MANIFEST_KEPT" })
    #expect(try listed(.internal, .platform(.macOS)) == ["a 1", "b 2"])
    // What a manifest lists is never collected.
    let rows = try store.catalog.read { (connection) throws(StoreFailure) in try connection.collectionRows() }
    #expect(rows.first { $0.pack == "a" && $0.version.number == 1 }?.version.isNeeded == true)
    #expect(throws: StoreFailure.manifestWouldShrink(track: .internal, platform: "macOS", packs: ["a"])) {
      _ = try store.release(app: app.id, track: .internal, packs: [ReleaseItem("a")], actor: store.actor)
    }
    _ = try store.release(
      app: app.id, track: .internal, packs: [ReleaseItem("a")], confirmedRemovals: ["a"], actor: store.actor)
    #expect(try listed(.internal, .platform(.macOS)) == ["b 2"])
    // A later version for the platform brings it back.
    try store.makeVersion(a, platforms: [.macOS, .iOS])
    #expect(try listed(.internal, .platform(.macOS)) == ["a 3", "b 2"])
  }

  @Test(arguments: [Track.beta, .production]) func aReleaseThatDropsAPlatformMustNameThePack(track: Track) throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, platforms: [.iOS, .tvOS])
    try store.makeVersion(b)
    func release(_ names: String..., confirmed: Set<String> = []) throws {
      _ = try store.release(
        app: app.id, track: track, packs: names.map { ReleaseItem($0) }, confirmedRemovals: confirmed,
        actor: store.actor)
    }
    try release("a", "b")
    try store.makeVersion(a, platforms: [.iOS])
    let before = try store.liveState()
    for confirmed in [[], ["b"]] as [Set<String>] {
      #expect(throws: StoreFailure.manifestWouldShrink(track: track, platform: "tvOS", packs: ["a"])) {
        try release("a", confirmed: confirmed)
      }
    }
    #expect(try store.liveState() == before)
    try release("a", confirmed: ["a"])
    #expect(try listed(track, .platform(.tvOS)) == ["b 1"])
    #expect(try listed(track, .platform(.iOS)) == ["a 2", "b 1"])
  }

  @Test func archivingOnePackTakesNoOtherAlong() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a, platforms: [.iOS, .macOS])
    try store.makeVersion(b)
    try store.makeVersion(a, platforms: [.iOS])
    #expect(try listed(.internal, .platform(.macOS)) == ["a 1", "b 1"])
    _ = try store.archivePack(b.id, confirmedRemovals: ["b"], actor: store.actor)
    #expect(try listed(.internal, .platform(.macOS)) == ["a 1"])
    #expect(try listed(.internal, .platform(.iOS)) == ["a 2"])
    #expect(try listed(.internal, .platform(.tvOS)) == [])
  }

  @Test func changesOfTheAllowListAndTheBaseURLKeepEveryPack() throws {
    let a = try pack("a")
    try store.makeVersion(a, platforms: [.iOS, .macOS])
    try store.makeVersion(a, platforms: [.iOS])
    _ = try store.updateApp(app.id, domainAllowList: ["packs.example.com", "*.example.com"], actor: store.actor)
    try store.rerenderManifests()
    #expect(try listed(.internal, .platform(.macOS)) == ["a 1"])
  }
}
