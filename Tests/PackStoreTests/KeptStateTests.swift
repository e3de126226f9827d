import AssetPacks
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import PackStore

/// A state folder of an earlier build opens with this one, and nothing that it served has changed.
@Suite final class KeptStateTests {
  let kept: KeptState
  let folder = NSTemporaryDirectory() + "packhouse-kept-\(UUID().uuidString)"
  private let time: TestTime

  init() throws {
    kept = try KeptState("format-8")
    try kept.copy(to: folder)
    // Kept requests are good for a day after they were made.
    time = TestTime(kept.made + 60)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func open() throws -> PackStore {
    var options = StoreOptions(folder: folder, publicBaseURL: kept.text("publicBaseURL"))
    options.clock = time.clock
    options.quota.isEnforced = false
    return try PackStore(options)
  }

  /// The hash of each manifest by its path, and the one for clients that a rollout has reached by `path new`.
  private func manifests(_ state: LiveState) -> [String: String] {
    var found: [String: String] = [:]
    for app in state.apps {
      for manifest in app.manifests {
        let lane = manifest.variant.lane.map { "/lanes/\($0)" } ?? ""
        let query = manifest.scope == .all ? "" : "?platform=\(manifest.scope.name)"
        let side = manifest.variant.side == .new ? " new" : ""
        found["/apps/\(app.bundleID)/\(manifest.track.rawValue)\(lane)/manifest.json\(query)\(side)"] = manifest.sha256
      }
    }
    return found
  }

  private func versions(_ state: LiveState) -> [String: LiveState.Version] {
    var found: [String: LiveState.Version] = [:]
    for app in state.apps {
      for version in app.versions {
        found["/apps/\(app.bundleID)/packs/\(version.number)/\(version.assetPackIdentifier)"] = version
      }
    }
    return found
  }

  @Test func theSameManifestsAndVersionsAreLive() throws {
    let fallback = try PublishedFallback.load(stateFolder: folder)
    let store = try open()
    #expect(try !store.manifestsNeedRerender())
    _ = try store.recover()
    let live = try store.liveState()
    #expect(live.apps.map(\.bundleID) == kept.apps.keys.sorted())
    let found = manifests(live)
    #expect(manifests(fallback) == found)
    var count = 0
    for (target, answer) in kept.manifests where !target.contains("clientKey=") {
      #expect(found[target] == answer.sha256, "\(target)")
      count += found[target] == nil ? 0 : 1
    }
    #expect(count == found.keys.count { !$0.hasSuffix(" new") })
    // A client that the rollout has reached gets the other side, whichever of the two keys is its.
    for target in found.keys where target.hasSuffix(" new") {
      let path = target.dropLast(4)
      let reached = kept.manifests.filter { $0.key.hasPrefix(path.contains("?") ? "\(path)&" : "\(path)?clientKey") }
      #expect(reached.count == 2, "\(path)")
      #expect(reached.values.contains { $0.sha256 == found[target] }, "\(path)")
    }
    let versions = versions(live)
    for (target, answer) in kept.archives {
      let version = versions[target]
      #expect((version == nil) == (answer.status == 404), "\(target)")
      #expect(version.map(\.isDamaged) ?? false == (answer.status == 503), "\(target)")
      guard answer.status == 200, let version else { continue }
      #expect(version.sha256 == answer.sha256)
      #expect(Int(version.size) == answer.size)
      _ = try store.blobs.openBlob(version.sha256, size: version.size)
    }
  }

  @Test func aReleaseChangesItsOwnTrackAndNothingElse() throws {
    let store = try open()
    let before = manifests(try store.liveState())
    let app = try #require(kept.apps["com.example.words"])
    let released = try store.release(
      app: app, track: .production, packs: [ReleaseItem("to", number: 3)], actor: TemporaryStore.actor)
    #expect(released.packs.map(\.number) == [3])
    let after = manifests(try store.liveState())
    let changed = before.keys.filter { before[$0] != after[$0] }.sorted()
    let place = "/apps/com.example.words/production"
    // The lane has a version of its own.
    #expect(
      changed
        == ["", "?platform=iOS"].flatMap { ["\(place)/manifest.json\($0)", "\(place)/manifest.json\($0) new"] })
    #expect(after.count == before.count)
    #expect(manifests(try PublishedFallback.load(stateFolder: folder)) == after)
    // What was bound to the version numbers of before still is.
    #expect(throws: StoreFailure.self) {
      try store.release(
        app: app, track: .production, packs: [ReleaseItem("to", number: 1)], actor: TemporaryStore.actor)
    }
    #expect(throws: StoreFailure.self) {
      try store.release(
        app: app, track: .production, packs: [ReleaseItem("on", number: 2)], actor: TemporaryStore.actor)
    }
  }

  @Test func whatAnEarlierRequestWasAnsweredIsStillKnown() throws {
    let record = try open().idempotencyRecord(token: kept.text("publisherTokenID"), text: "first-release")
    #expect(record?.key.request == "POST /v1/releases")
    #expect(record?.answer?.status == 201)
  }

  @Test func aSecondOpeningChangesNothingMore() throws {
    let first: LiveState
    do { first = try open().liveState() }
    #expect(try open().liveState() == first)
    var options = StoreOptions(folder: folder, publicBaseURL: kept.text("publicBaseURL"))
    options.takesLock = false
    #expect(try PackStore(options).liveState() == first)
  }
}
