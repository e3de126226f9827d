import AssetPacks
import Foundation
import Testing

@testable import PackStore

@Suite struct RolloutTests {
  /// `a` and `b` are live in version 1 and have a second version.
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

  @Test func thoseWhoAreReachedGetTheNewVersionAndTheOthersTheOldOne() throws {
    let fixture = try prepared()
    let rollout = try fixture.roll([ReleaseItem("a")], 10)
    #expect(rollout.state == .running && rollout.percent == 10)
    #expect(rollout.packs.map(\.number) == [2] && rollout.packs.map(\.previousNumber) == [1])
    #expect(try fixture.listed() == ["a 1", "b 1"])
    #expect(try fixture.listed(TrackFixture.reached) == ["a 2", "b 1"])
    let live = try #require(try fixture.store.liveState().apps.first)
    #expect(live.rollouts == [LiveState.App.Rollout(track: .production, percent: 10, salt: rollout.salt)])
    #expect(live.versions.contains { $0.assetPackIdentifier == "a" && $0.number == 2 })
    #expect(try PublishedFallback.load(stateFolder: fixture.temporary.folder) == fixture.store.liveState())

    try fixture.change(rollout, 50)
    #expect(try fixture.listed(TrackFixture.reached) == ["a 2", "b 1"])
    let done = try fixture.change(rollout, nil, .finish)
    #expect(done.state == .finished)
    #expect(try fixture.listed() == ["a 2", "b 1"])
    #expect(try fixture.listed(TrackFixture.reached) == nil)
    #expect(try fixture.store.liveState().apps.first?.rollouts == [])
    #expect(try PublishedFallback.load(stateFolder: fixture.temporary.folder) == fixture.store.liveState())
  }

  @Test func severalPacksGoTogetherAndOtherReleasesGoOn() throws {
    let fixture = try prepared()
    let third = try fixture.pack("c")
    try fixture.store.makeVersion(third)
    _ = try fixture.roll([ReleaseItem("a"), ReleaseItem("b")], 10)
    #expect(try fixture.listed(TrackFixture.reached) == ["a 2", "b 2"])
    try fixture.release("c")
    #expect(try fixture.listed() == ["a 1", "b 1", "c 1"])
    #expect(try fixture.listed(TrackFixture.reached) == ["a 2", "b 2", "c 1"])
  }

  @Test func aStopGivesEverybodyTheOldBytesUnderAHigherNumber() throws {
    let fixture = try prepared()
    let rollout = try fixture.roll([ReleaseItem("a")], 1)
    let stopped = try fixture.change(rollout, nil, .stop)
    #expect(stopped.state == .stopped)
    #expect(try fixture.listed() == ["a 3", "b 1"])
    #expect(try fixture.listed(TrackFixture.reached) == nil)
    #expect(try fixture.bytes(3, of: "a") == fixture.bytes(1, of: "a"))
    // The number that some have had never comes back.
    #expect(
      fixture.failure { try fixture.release("a", 2) }
        == .versionWouldFall(pack: "a", track: .production, live: 3, requested: 2))
  }

  @Test func aRolloutThatReachedNobodyLeavesNoTrace() throws {
    let fixture = try prepared()
    let rollout = try fixture.roll([ReleaseItem("a")], 0)
    try fixture.change(rollout, nil, .stop)
    #expect(try fixture.listed() == ["a 1", "b 1"])
    try fixture.release("a", 2)
    #expect(try fixture.listed() == ["a 2", "b 1"])
  }

  @Test func aStopNeedsTheOldBytes() throws {
    let fixture = try prepared()
    let rollout = try fixture.roll([ReleaseItem("a")], 1)
    let hash = try #require(try fixture.bytes(1, of: "a"))
    try FileManager.default.removeItem(atPath: fixture.store.blobs.path(ofBlob: hash))
    #expect(
      fixture.failure { try fixture.change(rollout, nil, .stop) } == .bytesGone(pack: "a", number: 1))
    #expect(try fixture.store.rollout(rollout.id).state == .running)
  }

  @Test func thePercentageNeverFallsAndStandsStillDuringAPause() throws {
    let fixture = try prepared()
    let rollout = try fixture.roll([ReleaseItem("a")], 10)
    #expect(fixture.failure { try fixture.change(rollout, 9) } == .percentageWouldFall(from: 10, to: 9))
    try fixture.change(rollout, 20, .pause)
    guard case .stateNotAllowed? = fixture.failure({ try fixture.change(rollout, 30) }) else {
      Issue.record("a paused rollout was raised")
      return
    }
    try fixture.change(rollout, 20)
    #expect(try fixture.listed(TrackFixture.reached) == ["a 2", "b 1"])
    #expect(try fixture.change(rollout, 30, .resume).percent == 30)
    try fixture.change(rollout, 100, .finish)
    guard case .stateNotAllowed? = fixture.failure({ try fixture.change(rollout, nil, .stop) }) else {
      Issue.record("a finished rollout was stopped")
      return
    }
    let lines = try fixture.store.auditLog(app: fixture.app.id, page: PageRequest(limit: 200)).items
      .filter { $0.action.hasPrefix("rollout.") }.reversed().map { $0.after ?? "" }
    #expect(lines == ["RUNNING 10 %", "PAUSED 20 %", "RUNNING 30 %", "FINISHED 100 %"])
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    let fixture = try prepared()
    let fresh = try fixture.pack("new")
    try fixture.store.makeVersion(fresh)
    #expect(
      fixture.failure { _ = try fixture.roll([ReleaseItem("new")], 10) }
        == .nothingLive(pack: "new", track: .production))
    #expect(
      fixture.failure { _ = try fixture.roll([ReleaseItem("a", number: 1)], 10) }
        == .versionWouldFall(pack: "a", track: .production, live: 1, requested: 1))
    for percent in [-1, 101] {
      guard case .valueRefused? = fixture.failure({ _ = try fixture.roll([ReleaseItem("a")], percent) }) else {
        Issue.record("\(percent) was taken")
        return
      }
    }
    guard case .valueRefused? = fixture.failure({ _ = try fixture.roll([ReleaseItem("a")], 1, track: .internal) })
    else {
      Issue.record("the internal track was taken")
      return
    }
    let rollout = try fixture.roll([ReleaseItem("a")], 10)
    let second = fixture.failure { _ = try fixture.roll([ReleaseItem("b")], 10) }
    #expect(second == .rolloutRunning(pack: nil, track: .production))
    #expect(fixture.failure { try fixture.release("a") } == .rolloutRunning(pack: "a", track: .production))
    #expect(fixture.failure { _ = try fixture.rollback("a") } == .rolloutRunning(pack: "a", track: .production))
    #expect(second?.sentence == "A rollout runs on production. Finish or stop it first.")
    try fixture.change(rollout, nil, .finish)
    try fixture.change(try fixture.roll([ReleaseItem("b")], 10), nil, .finish)
    #expect(try fixture.listed() == ["a 2", "b 2"])
  }

  @Test func aReviewedAppRollsOutOnlyWhatWasApproved() throws {
    let fixture = try prepared()
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: .required, actor: fixture.store.actor)
    #expect(
      fixture.failure { _ = try fixture.roll([ReleaseItem("a")], 10) } == .reviewRequired(policy: .required))
  }

  @Test func aPlatformKeepsItsPackForThoseWhoAreReached() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    let other = try fixture.pack("b")
    try fixture.store.makeVersion(other)
    try fixture.release("b")
    try fixture.store.makeVersion(pack, platforms: [.iOS, .macOS])
    try fixture.release("a")
    try fixture.store.makeVersion(pack, platforms: [.iOS])
    #expect(
      fixture.failure { _ = try fixture.roll([ReleaseItem("a")], 10) }
        == .manifestWouldShrink(track: .production, platform: "macOS rollout", packs: ["a"]))
    _ = try fixture.roll([ReleaseItem("a")], 10, confirmed: ["a"])
    #expect(try fixture.listed(TrackFixture.reached, scope: .platform(.macOS)) == ["b 1"])
    #expect(try fixture.listed(scope: .platform(.macOS)) == ["a 1", "b 1"])
  }
}
