import AssetPacks
import Foundation
import Testing

@testable import PackStore

@Suite struct LaneTests {
  private func prepared() throws -> TrackFixture {
    let fixture = try TrackFixture()
    for name in ["a", "b"] {
      let pack = try fixture.pack(name)
      try fixture.store.makeVersion(pack)
      try fixture.release(name)
      try fixture.store.makeVersion(pack)
    }
    return fixture
  }

  @Test func aPinnedPackStaysAndTheOthersFollowTheTrack() throws {
    let fixture = try prepared()
    let lane = try fixture.lane("1.x", [LanePin("a", number: 1)])
    #expect(lane.manifestURL == "https://packs.example.com/apps/com.example.game/production/lanes/1.x/manifest.json")
    try fixture.release("a")
    try fixture.release("b")
    #expect(try fixture.listed() == ["a 2", "b 2"])
    #expect(try fixture.listed(TrackFixture.lane("1.x")) == ["a 1", "b 2"])
    #expect(try PublishedFallback.load(stateFolder: fixture.temporary.folder) == fixture.store.liveState())
    let changed = try fixture.store.updateLane(lane.id, pins: [LanePin("a", number: nil)], actor: fixture.store.actor)
    #expect(changed.pins == [])
    #expect(try fixture.listed(TrackFixture.lane("1.x")) == ["a 2", "b 2"])
  }

  @Test func aLaneMayBeAheadOfTheTrackAndItsBytesStay() throws {
    let fixture = try prepared()
    let lane = try fixture.lane("2.x", [LanePin("a", number: 2)])
    #expect(try fixture.listed() == ["a 1", "b 1"])
    #expect(try fixture.listed(TrackFixture.lane("2.x")) == ["a 2", "b 1"])
    let back = fixture.failure {
      _ = try fixture.store.updateLane(lane.id, pins: [LanePin("a", number: nil)], actor: fixture.store.actor)
    }
    #expect(back == .versionWouldFall(pack: "a", track: .production, live: 2, requested: 1))
    _ = try fixture.store.removeLane(lane.id, actor: fixture.store.actor)
    let live = try #require(try fixture.store.liveState().apps.first)
    #expect(live.versions.filter { $0.assetPackIdentifier == "a" }.map(\.number) == [1, 2])
  }

  @Test func aPackIsPinnedOnce() throws {
    let fixture = try prepared()
    let twice = [LanePin("a", number: 1), LanePin("b", number: 1), LanePin("a", number: 2)]
    #expect(
      fixture.failure { _ = try fixture.lane("x", twice) }
        == .valueRefused(field: "packs", value: "a, b, a", expected: "packs, each named once"))
    #expect(try fixture.store.lanes(app: fixture.app.id).items.isEmpty)
  }

  @Test func aLaneThatIsMadeAgainRemembersItsNumbers() throws {
    let fixture = try prepared()
    let lane = try fixture.lane("x", [LanePin("a", number: 2)])
    _ = try fixture.store.removeLane(lane.id, actor: fixture.store.actor)
    #expect(try fixture.listed(TrackFixture.lane("x")) == nil)
    #expect(try fixture.store.lanes(app: fixture.app.id).items.isEmpty)
    #expect(
      fixture.failure { _ = try fixture.lane("x", [LanePin("a", number: 1)]) }
        == .versionWouldFall(pack: "a", track: .production, live: 2, requested: 1))
    try fixture.release("a")
    #expect(try fixture.lane("x", []).id == lane.id)
    #expect(try fixture.listed(TrackFixture.lane("x")) == ["a 2", "b 1"])
  }

  @Test func aRolloutReachesALaneUnlessThePackIsPinned() throws {
    let fixture = try prepared()
    let free = try fixture.lane("free", [])
    _ = try fixture.lane("kept", [LanePin("a", number: 1)])
    let rollout = try fixture.roll([ReleaseItem("a")], 10)
    #expect(try fixture.listed(TrackFixture.lane("free")) == ["a 1", "b 1"])
    #expect(try fixture.listed(TrackFixture.lane("free", .new)) == ["a 2", "b 1"])
    #expect(try fixture.listed(TrackFixture.lane("kept", .new)) == nil)
    #expect(
      fixture.failure {
        _ = try fixture.store.updateLane(free.id, pins: [LanePin("a", number: 1)], actor: fixture.store.actor)
      } == .rolloutRunning(pack: "a", track: .production))
    try fixture.change(rollout, nil, .stop)
    #expect(try fixture.listed(TrackFixture.lane("free")) == ["a 3", "b 1"])
    #expect(try fixture.listed(TrackFixture.lane("kept")) == ["a 1", "b 1"])
    #expect(try fixture.listed(TrackFixture.lane("free", .new)) == nil)
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    let fixture = try prepared()
    _ = try fixture.lane("x", [])
    guard case .alreadyExists(kind: .lane, name: "x", _)? = fixture.failure({ _ = try fixture.lane("x", []) }) else {
      Issue.record("a lane was made twice")
      return
    }
    for name in ["", ".x", "a/b"] {
      guard case .valueRefused? = fixture.failure({ _ = try fixture.lane(name, []) }) else {
        Issue.record("“\(name)” was taken")
        return
      }
    }
    #expect(
      fixture.failure { _ = try fixture.lane("y", [LanePin("a", number: 7)]) }
        == .notFound(kind: .version, name: "7 of a"))
    for number in 2...PackStore.laneLimit { _ = try fixture.lane("lane\(number)", []) }
    guard case .valueRefused? = fixture.failure({ _ = try fixture.lane("more", []) }) else {
      Issue.record("too many lanes were taken")
      return
    }
  }

  @Test func theBytesOfLanesAndRolloutsAreNeeded() throws {
    let fixture = try prepared()
    func needed() throws -> [String] {
      try fixture.store.catalog.read { (connection) throws(StoreFailure) in
        try connection.rows(
          """
          SELECT p.identifier || ' ' || v.number FROM needed_versions n JOIN versions v ON v.id = n.version_id
          JOIN packs p ON p.id = v.pack_id ORDER BY 1
          """, []
        ) { $0.text(0) }
      }
    }
    let pack = try #require(try fixture.store.packs(app: fixture.app.id, identifier: "a").items.first)
    for _ in 3...5 { try fixture.store.makeVersion(pack) }
    #expect(try needed() == ["a 1", "a 5", "b 1", "b 2"])
    let lane = try fixture.lane("x", [LanePin("a", number: 3)])
    #expect(try needed() == ["a 1", "a 3", "a 5", "b 1", "b 2"])
    let rollout = try fixture.roll([ReleaseItem("a", number: 4)], 10)
    #expect(try needed() == ["a 1", "a 3", "a 4", "a 5", "b 1", "b 2"])
    try fixture.change(rollout, nil, .finish)
    _ = try fixture.store.removeLane(lane.id, actor: fixture.store.actor)
    #expect(try needed() == ["a 4", "a 5", "b 1", "b 2"])
  }

  @Test func bytesThatAreGoneAreNotPinned() throws {
    let fixture = try prepared()
    let hash = try #require(try fixture.bytes(2, of: "a"))
    try FileManager.default.removeItem(atPath: fixture.store.blobs.path(ofBlob: hash))
    #expect(
      fixture.failure { _ = try fixture.lane("x", [LanePin("a", number: 2)]) } == .bytesGone(pack: "a", number: 2))
  }

  @Test func onlyApprovedBytesArePinnedWhereVersionsAreReviewed() throws {
    let fixture = try prepared()
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: .fourEyes, actor: fixture.store.actor)
    _ = try fixture.lane("1.x", [LanePin("a", number: 1)])
    #expect(
      fixture.failure { _ = try fixture.lane("2.x", [LanePin("a", number: 2)]) } == .reviewRequired(policy: .fourEyes))
  }

  @Test func theExplanationSaysWhy() throws {
    let fixture = try prepared()
    let third = try fixture.pack("c")
    try fixture.store.makeVersion(third, platforms: [.macOS])
    try fixture.release("c")
    _ = try fixture.lane("kept", [LanePin("b", number: 1)])
    let rollout = try fixture.roll([ReleaseItem("a")], 50)
    for key in ["one", "two", "three", "four", "five"] {
      let found = try fixture.store.explain(
        app: fixture.app.id, track: .production, scope: .platform(.iOS), lane: "kept", client: .key(key))
      let bucket = try #require(found.bucket)
      #expect(found.rolloutID == rollout.id && found.percent == 50 && found.isServed)
      #expect(
        found.packs.map(\.reason) == [bucket < 50 ? .rolloutNew : .rolloutPrevious, .lane, .otherPlatform])
      #expect(found.packs.map(\.number) == [bucket < 50 ? 2 : 1, 1, nil])
      #expect(found.packs[0].sentence.contains("bucket \(bucket) of 100"))
    }
    let plain = try fixture.store.explain(app: fixture.app.id, track: .production)
    #expect(plain.packs.map(\.reason) == [.rolloutPrevious, .live, .live])
    #expect(plain.bucket == nil)
    #expect(
      fixture.failure { _ = try fixture.store.explain(app: fixture.app.id, track: .production, lane: "typo") }
        == .notFound(kind: .lane, name: "typo on production"))
    #expect(try fixture.store.explain(app: fixture.app.id, track: .beta).isServed == false)
  }
}
