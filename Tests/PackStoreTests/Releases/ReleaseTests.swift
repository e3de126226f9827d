import Digests
import AssetPacks
import Foundation
import JSONText
import SystemIO
import Testing

@testable import PackStore

@Suite final class ReleaseTests {
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

  func release(
    _ items: ReleaseItem..., track: Track = .production, confirmed: Set<String> = []
  ) throws -> ReleaseResult {
    try store.release(app: app.id, track: track, packs: items, confirmedRemovals: confirmed, actor: store.actor)
  }

  /// The packs of a manifest as `id version`; nil when there is none.
  func listed(_ track: Track = .production, _ scope: ManifestScope = .all) throws -> [String]? {
    guard let record = try store.manifest(app: app.id, track: track, scope: scope) else { return nil }
    let packs = try JSONParser.parse(record.bytes, dialect: .strict).root["assetPacks"]?.array
    return packs?.map { "\($0["id"]?.string ?? "?") \($0["version"]?.int ?? -1)" }
  }

  @Test func aCompleteVersionIsLiveOnTheInternalTrackAtOnce() throws {
    let pack = try pack("a")
    let version = try store.makeVersion(pack)
    #expect(version.state == .complete)
    #expect(version.internalState == .readyForTesting)
    #expect(version.externalState == .readyForBetaSubmission)
    #expect(version.productionState == .prepareForSubmission)
    #expect(version.messages.map(\.code) == ["W"])
    #expect(try listed(.internal) == ["a 1"])
    #expect(try listed() == nil)
    let second = try store.makeVersion(pack)
    #expect(try store.version(version.id).internalState == .superseded)
    #expect(second.internalState == .readyForTesting)
    #expect(try listed(.internal) == ["a 2"])
  }

  @Test func aLowerVersionThatIsProcessedLaterDoesNotTakeTheInternalSlot() throws {
    let pack = try pack("a")
    let first = try store.createVersion(pack: pack.id, actor: store.actor)
    let upload = try store.upload([1], version: first.id)
    try store.makeVersion(pack)
    let late = try store.complete(first, upload: upload, content: [1])
    #expect(late.internalState == .superseded)
    #expect(try listed(.internal) == ["a 2"])
  }

  @Test func severalPacksGoLiveTogether() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    let first = try store.makeVersion(a)
    try store.makeVersion(a)
    try store.makeVersion(b)
    let result = try release(ReleaseItem("a", number: 1), ReleaseItem("b"))
    #expect(result.packs.map(\.number) == [1, 1])
    #expect(result.packs.map(\.state) == ["READY_FOR_DISTRIBUTION", "READY_FOR_DISTRIBUTION"])
    #expect(result.manifestURL == "https://packs.example.com/apps/com.example.game/production/manifest.json")
    #expect(try listed() == ["a 1", "b 1"])
    let next = try release(ReleaseItem("a"))
    #expect(next.packs.first?.previousNumber == 1)
    #expect(try store.version(first.id).productionState == .superseded)
    #expect(try listed() == ["a 2", "b 1"])
    let moves = try store.auditLog(app: app.id, page: PageRequest(limit: 200)).items
      .filter { $0.action == "release.move" && $0.subject == "a 2 on production" }.reversed().map(\.after)
    #expect(
      moves == [
        "READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "PROCESSING_FOR_DISTRIBUTION",
        "READY_FOR_DISTRIBUTION",
      ])
  }

  @Test func oneBadPackKeepsAllOthersBack() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a)
    try store.makeVersion(b)
    _ = try release(ReleaseItem("a"), ReleaseItem("b"))
    try store.makeVersion(a)
    let before = try store.liveState()
    let lines = try store.auditLog().total
    for bad in [ReleaseItem("nobody"), ReleaseItem("b", number: 7)] {
      #expect(throws: StoreFailure.self) { _ = try release(ReleaseItem("a"), bad) }
    }
    _ = try pack("empty")
    #expect(throws: StoreFailure.noCompleteVersion(pack: "empty")) {
      _ = try release(ReleaseItem("a"), ReleaseItem("empty"))
    }
    #expect(throws: StoreFailure.self) { _ = try release(ReleaseItem("a"), ReleaseItem("a")) }
    #expect(throws: StoreFailure.self) { _ = try release() }
    #expect(try store.liveState() == before)
    #expect(try store.auditLog().total == lines + 1)
  }

  @Test func releasingAgainChangesNothing() throws {
    try store.makeVersion(try pack("a"))
    _ = try release(ReleaseItem("a"))
    let before = try store.liveState()
    let again = try release(ReleaseItem("a"))
    #expect(again.packs.map(\.state) == ["READY_FOR_DISTRIBUTION"])
    #expect(try store.liveState() == before)
  }

  @Test func aVersionNeverFalls() throws {
    let pack = try pack("a")
    try store.makeVersion(pack)
    try store.makeVersion(pack)
    _ = try release(ReleaseItem("a"))
    let failure = #expect(throws: StoreFailure.self) { _ = try release(ReleaseItem("a", number: 1)) }
    #expect(failure == .versionWouldFall(pack: "a", track: .production, live: 2, requested: 1))
    #expect(failure?.sentence.contains("new number") == true)
    _ = try release(ReleaseItem("a", number: 1), track: .beta)
  }

  @Test func aPackDisappearsFromAPlatformOnlyWhenThatIsConfirmed() throws {
    let (a, b) = (try pack("a"), try pack("b"))
    try store.makeVersion(a)
    try store.makeVersion(b, platforms: [.iOS])
    _ = try release(ReleaseItem("a"), ReleaseItem("b"))
    #expect(try listed(.production, .platform(.iOS)) == ["a 1", "b 1"])
    #expect(try listed(.production, .platform(.macOS)) == ["a 1"])
    try store.makeVersion(a, platforms: [.iOS, .macOS])
    try store.makeVersion(b, platforms: [.macOS])
    #expect(throws: StoreFailure.manifestWouldShrink(track: .production, platform: "iOS", packs: ["b"])) {
      _ = try release(ReleaseItem("b"))
    }
    #expect(try listed(.production, .platform(.iOS)) == ["a 1", "b 1"])
    _ = try release(ReleaseItem("b"), confirmed: ["b"])
    #expect(try listed(.production, .platform(.iOS)) == ["a 1"])
    #expect(try listed(.production, .platform(.macOS)) == ["a 1", "b 2"])
    // tvOS would lose its only pack.
    #expect(throws: StoreFailure.manifestWouldBeEmpty(track: .production, platform: "tvOS")) {
      _ = try release(ReleaseItem("a"), confirmed: ["a"])
    }
  }

  @Test func aPlatformThatNeverHadAPackHasNoManifest() throws {
    try store.makeVersion(try pack("a"), platforms: [.iOS])
    _ = try release(ReleaseItem("a"))
    #expect(try listed(.production, .platform(.visionOS)) == nil)
  }

  @Test func manifestsCarryWhatTheClientNeeds() throws {
    let content = pattern(700)
    try store.makeVersion(try pack("a"), content: content)
    _ = try release(ReleaseItem("a"))
    let record = try #require(try store.manifest(app: app.id, track: .production, scope: .all))
    let entry = try #require(try JSONParser.parse(record.bytes, dialect: .strict).root["assetPacks"]?.array?.first)
    #expect(entry["url"]?.string == "https://packs.example.com/apps/com.example.game/packs/1/a")
    #expect(entry["downloadSize"]?.int == 700)
    #expect(entry["downloadPolicy"] == ["onDemand": [:]])
    #expect(entry["host"] == ["thirdParty": [:]])
    #expect(entry["userInfo"] == ["a": "b"])
    #expect(record.generation == 1)
    #expect(record.sha256 == Digest.sha256Text(record.bytes))
    let tracks = try store.tracks(app: app.id)
    #expect(tracks.first { $0.track == .production }?.packs.map(\.sha256) == [Digest.sha256Text(content)])
    #expect(tracks.first { $0.track == .beta }?.packs.isEmpty == true)
  }

  @Test func reviewPoliciesStopADirectRelease() throws {
    try store.makeVersion(try pack("a"))
    _ = try store.updateApp(app.id, reviewPolicy: .required, actor: store.actor)
    #expect(throws: StoreFailure.reviewRequired(policy: .required)) { _ = try release(ReleaseItem("a")) }
  }

  @Test func theLiveStateKeepsSupersededVersions() throws {
    let pack = try pack("a")
    try store.makeVersion(pack)
    try store.makeVersion(pack)
    let state = try store.liveState()
    #expect(state.apps.map(\.bundleID) == ["com.example.game"])
    #expect(state.apps[0].versions.map(\.number) == [1, 2])
    #expect(state.apps[0].versions.map(\.isLive) == [false, true])
    for version in state.apps[0].versions { _ = try store.blobs.openBlob(version.sha256, size: version.size) }
  }

  @Test func publishedFilesAreTheManifests() throws {
    try store.makeVersion(try pack("a"))
    _ = try release(ReleaseItem("a"))
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
    let record = try #require(try store.manifest(app: app.id, track: .production, scope: .all))
    let path = "\(temporary.folder)/published/com.example.game/production/all.json"
    #expect(try readFile(path, limit: 1 << 20) == record.bytes)
    // The allow-list stands beside them.
    _ = try store.updateApp(app.id, domainAllowList: ["packs.example.com", "cdn.example.net"], actor: store.actor)
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
  }

  @Test func usedBytesAreThoseOfTheLargestEligibleVersion() throws {
    let pack = try pack("a")
    try store.makeVersion(pack, content: pattern(4000))
    try store.makeVersion(pack, content: pattern(2000))
    #expect(try store.pack(pack.id).usedBytes == 4000)
    #expect(try store.usage(app: app.id) == (4000, 0))
  }
}

@Suite final class RerenderTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  func prepare() throws -> String {
    let store = try temporary.open()
    let app = try store.makeApp()
    try store.makeVersion(try store.createPack(app: app.id, identifier: "a", actor: store.actor))
    #expect(try !store.manifestsNeedRerender())
    return app.id
  }

  @Test func anotherBaseURLNeedsTheAppsConsentAndChangesAllLinks() throws {
    let app = try prepare()
    let store = try temporary.open { $0.publicBaseURL = "https://cdn.example.net:8443" }
    #expect(try store.manifestsNeedRerender())
    let before = try store.liveState()
    #expect(throws: StoreFailure.self) { try store.rerenderManifests() }
    #expect(try store.liveState() == before)
    _ = try store.updateApp(app, domainAllowList: ["packs.example.com", "cdn.example.net"], actor: store.actor)
    try store.rerenderManifests()
    #expect(try !store.manifestsNeedRerender())
    let record = try #require(try store.manifest(app: app, track: .internal, scope: .all))
    #expect(record.generation == 2)
    #expect(String(decoding: record.bytes, as: UTF8.self).contains("https://cdn.example.net:8443/apps/"))
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
  }

  @Test func aVersionCompletesAlsoWhenItsLinksAreNotAllowed() throws {
    let app = try prepare()
    let store = try temporary.open { $0.publicBaseURL = "https://cdn.example.net" }
    let pack = try #require(try store.packs(app: app).items.first)
    let version = try store.makeVersion(pack)
    #expect(version.state == .complete)
    #expect(version.messages.contains { $0.code == "HOST_NOT_ALLOWED" })
    #expect(try store.manifest(app: app, track: .internal, scope: .all)?.generation == 1)
    _ = try store.updateApp(app, domainAllowList: ["cdn.example.net"], actor: store.actor)
    #expect(try store.manifest(app: app, track: .internal, scope: .all)?.generation == 2)
  }

  @Test func anInternalManifestThatWouldBeEmptyStaysAndFollowsTheBaseURL() throws {
    let app = try prepare()
    do {
      let store = try temporary.open()
      let pack = try #require(try store.packs(app: app).items.first)
      let version = try store.makeVersion(pack, platforms: [.iOS])
      #expect(version.messages.map(\.code) == ["W", "MANIFEST_KEPT"])
      #expect(try store.manifest(app: app, track: .internal, scope: .platform(.iOS))?.generation == 2)
      #expect(try store.manifest(app: app, track: .internal, scope: .platform(.tvOS))?.generation == 1)
      _ = try store.updateApp(app, domainAllowList: ["*.example.com", "packs.example.com"], actor: store.actor)
    }
    let store = try temporary.open { $0.publicBaseURL = "https://packs.example.com:444" }
    try store.rerenderManifests()
    let kept = try #require(try store.manifest(app: app, track: .internal, scope: .platform(.tvOS)))
    #expect(String(decoding: kept.bytes, as: UTF8.self).contains("example.com:444/apps/com.example.game/packs/1/a"))
    #expect(try !store.manifestsNeedRerender())
  }
}
