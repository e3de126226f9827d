import AssetPacks
import Testing

@testable import PackStore

struct BetaReviewTests {
  let fixture: ReviewFixture
  var store: PackStore { fixture.store }

  init() throws { fixture = try ReviewFixture() }

  @Test func theBetaReleaseTakesItsOwnStates() throws {
    let first = try fixture.version("a")
    let (id, _) = try fixture.draft(first, track: .beta)
    #expect(try store.version(first.id).externalState == .readyForBetaSubmission)
    try fixture.submit(id)
    #expect(try store.version(first.id).externalState == .waitingForReview)
    try fixture.decide(.submission(id), .begin)
    #expect(try store.version(first.id).externalState == .inReview)
    try fixture.decide(.submission(id), .approve)
    #expect(try store.version(first.id).externalState == .readyForTesting)
    #expect(try fixture.listed(.beta) == ["a 1"])
    let second = try fixture.version("a")
    let (next, _) = try fixture.draft(second, track: .beta)
    try fixture.submit(next)
    try fixture.decide(.submission(next), .approve)
    #expect(try store.version(first.id).externalState == .superseded)
    #expect(try fixture.listed(.beta) == ["a 2"])
    let moves = try store.auditLog(page: PageRequest(limit: 200)).items
      .filter { $0.action == "release.move" && $0.subject == "a 2 on beta" }.reversed().map(\.after)
    #expect(moves == ["WAITING_FOR_REVIEW", "IN_REVIEW", "PROCESSING_FOR_TESTING", "READY_FOR_TESTING"])
  }

  @Test func oneVersionOfAPackIsInExternalReviewAtATime() throws {
    let (first, second) = (try fixture.version("a"), try fixture.version("a"))
    let (one, _) = try fixture.draft(first, track: .beta)
    let (two, _) = try fixture.draft(second, track: .beta)
    try fixture.submit(one)
    #expect(throws: StoreFailure.reviewInProgress(pack: "a", number: 1, track: .beta, submission: one)) {
      try fixture.submit(two)
    }
    #expect(try fixture.state(two) == .readyForReview)
    #expect(try store.version(second.id).externalState == .readyForBetaSubmission)
    _ = try store.withdrawReview(one, actor: ReviewFixture.publisher)
    #expect(try store.version(first.id).externalState == .readyForBetaSubmission)
    try fixture.submit(two)
  }

  @Test func aRejectedBetaVersionStaysRejectedAndTheNextOneMayCome() throws {
    let first = try fixture.version("a")
    let (id, items) = try fixture.draft(first, track: .beta)
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .reject, "too dark")
    #expect(try fixture.state(id) == .unresolvedIssues)
    #expect(try store.version(first.id).externalState == .rejected)
    #expect(throws: StoreFailure.self) {
      _ = try store.resolveReviewItem(items[0].id, actor: ReviewFixture.publisher)
    }
    #expect(try fixture.items(id) == [.rejected])
    let second = try fixture.version("a")
    let (next, _) = try fixture.draft(second, track: .beta)
    try fixture.submit(next)
    try fixture.decide(.submission(next), .approve)
    #expect(try fixture.listed(.beta) == ["a 2"])
    _ = try store.withdrawReview(id, actor: ReviewFixture.publisher)
    #expect(try store.version(first.id).externalState == .rejected)
    #expect(throws: StoreFailure.self) { _ = try fixture.draft(first, track: .beta) }
  }

  @Test func theBytesOfADraftAreNeeded() throws {
    let first = try fixture.version("a")
    func needed() throws -> [String] {
      try store.catalog.read { (connection) throws(StoreFailure) in
        try connection.rows("SELECT version_id FROM needed_versions") { $0.text(0) }
      }
    }
    let second = try fixture.version("a")
    #expect(try needed() == [second.id])
    let (id, _) = try fixture.draft(first, track: .beta)
    #expect(try Set(needed()) == [first.id, second.id])
    _ = try store.withdrawReview(id, actor: ReviewFixture.publisher)
    #expect(try needed() == [second.id])
  }

  @Test func anAcceptedBetaItemWaitsInReview() throws {
    let (first, second) = (try fixture.version("a"), try fixture.version("b"))
    let (id, items) = try fixture.draft(first, second, track: .beta)
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .approve)
    #expect(try fixture.items(id) == [.accepted, .readyForReview])
    #expect(try store.version(first.id).externalState == .inReview)
    #expect(try fixture.listed(.beta) == nil)
    try fixture.decide(.item(items[1].id), .approve)
    #expect(try fixture.listed(.beta) == ["a 1", "b 1"])
  }

  @Test func theSameBytesArePromotedFromTrackToTrack() throws {
    let version = try fixture.version("a")
    #expect(try fixture.listed(.internal) == ["a 1"])
    for track in [Track.beta, .production] {
      let (id, _) = try fixture.draft(version, track: track)
      try fixture.submit(id)
      try fixture.decide(.submission(id), .approve)
    }
    let tracks = try store.tracks(app: fixture.app.id)
    #expect(tracks.map { $0.packs.map(\.versionID) } == [[version.id], [version.id], [version.id]])
    #expect(Set(tracks.flatMap { $0.packs.map(\.url) }).count == 1)
  }
}
