import AssetPacks
import Testing

@testable import PackStore

/// Submissions whose approval begins a rollout.
struct StagedApprovalTests {
  let fixture: ReviewFixture
  var store: PackStore { fixture.store }

  init() throws { fixture = try ReviewFixture() }

  /// A live version 1 of `a`, and a submission of its version 2 and of the new pack `b`, approved for 10 in a hundred.
  private func approved() throws -> (outcome: ReviewOutcome, versions: [VersionRecord], rollout: RolloutRecord) {
    let first = try fixture.version("a")
    let draft = try fixture.draft(first)
    try fixture.submit(draft.id)
    try fixture.decide(.submission(draft.id), .approve)
    let versions = [try fixture.version("a"), try fixture.version("b")]
    let id = try store.createReviewSubmission(
      app: fixture.app.id, rolloutPercent: 10, actor: ReviewFixture.publisher
    ).id
    for version in versions {
      _ = try store.addReviewItem(submission: id, version: version.id, actor: ReviewFixture.publisher)
    }
    try fixture.submit(id)
    let outcome = try fixture.decide(.submission(id), .approve)
    let rollout = try #require(try store.rollouts(app: fixture.app.id).items.first)
    return (outcome, versions, rollout)
  }

  @Test func whatHasSomethingLiveIsStagedAndWhatIsNewGoesLive() throws {
    let (outcome, versions, rollout) = try approved()
    #expect(outcome.submission.state == .complete)
    #expect(
      outcome.release?.packs.map(\.state) == ["PROCESSING_FOR_DISTRIBUTION", "READY_FOR_DISTRIBUTION"])
    #expect(rollout.percent == 10 && rollout.state == .running)
    #expect(rollout.packs.map(\.versionID) == [versions[0].id])
    #expect(try fixture.listed() == ["a 1", "b 1"])
    #expect(try store.version(versions[0].id).productionState == .processingForDistribution)
  }

  @Test func finishingTakesItLive() throws {
    let (_, versions, rollout) = try approved()
    _ = try store.changeRollout(rollout.id, percent: 100, move: .finish, actor: ReviewFixture.publisher)
    #expect(try fixture.listed() == ["a 2", "b 1"])
    #expect(try store.version(versions[0].id).productionState == .readyForDistribution)
  }

  @Test func stoppingGivesItUp() throws {
    let (_, versions, rollout) = try approved()
    _ = try store.changeRollout(rollout.id, move: .stop, actor: ReviewFixture.publisher)
    // Ten in a hundred had version 2: everybody gets the old bytes as version 3.
    #expect(try fixture.listed() == ["a 3", "b 1"])
    #expect(try store.version(versions[0].id).productionState == .superseded)
  }

  @Test func aRolloutThatRunsKeepsTheNextApprovalOut() throws {
    let (_, _, rollout) = try approved()
    let next = try fixture.version("a")
    let draft = try fixture.draft(next)
    try fixture.submit(draft.id)
    #expect(throws: StoreFailure.rolloutRunning(pack: "a", track: .production)) {
      try fixture.decide(.submission(draft.id), .approve)
    }
    #expect(try fixture.state(draft.id) == .waitingForReview)
    #expect(try store.rollout(rollout.id).state == .running)
  }

  @Test(arguments: [-1, 101]) func aPercentageOutOfRangeIsRefused(percent: Int) throws {
    #expect(throws: StoreFailure.self) {
      try store.createReviewSubmission(
        app: fixture.app.id, rolloutPercent: percent, actor: ReviewFixture.publisher)
    }
  }
}
