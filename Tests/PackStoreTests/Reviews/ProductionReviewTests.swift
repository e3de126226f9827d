import AssetPacks
import JSONText
import Testing

@testable import PackStore

struct ProductionReviewTests {
  let fixture: ReviewFixture
  var store: PackStore { fixture.store }

  init() throws { fixture = try ReviewFixture() }

  @Test func aSubmissionGoesThroughItsStatesAndLive() throws {
    let version = try fixture.version("a")
    let (id, items) = try fixture.draft(version)
    #expect(try fixture.state(id) == .readyForReview)
    #expect(items.map(\.releaseState) == ["READY_FOR_REVIEW"])
    let submitted = try fixture.submit(id)
    #expect(submitted.submission.state == .waitingForReview)
    #expect(submitted.submission.submitter == ReviewFixture.publisher)
    #expect(submitted.release == nil)
    #expect(try store.version(version.id).productionState == .waitingForReview)
    try fixture.decide(.submission(id), .begin)
    #expect(try fixture.state(id) == .inReview)
    #expect(try store.version(version.id).productionState == .inReview)
    #expect(try fixture.listed() == nil)
    let outcome = try fixture.decide(.submission(id), .approve, "well done")
    #expect(outcome.submission.state == .complete)
    #expect(outcome.release?.packs.map(\.state) == ["READY_FOR_DISTRIBUTION"])
    #expect(outcome.decision?.reviewer == ReviewFixture.reviewer)
    #expect(try fixture.items(id) == [.approved])
    #expect(try fixture.listed() == ["a 1"])
    #expect(
      try store.reviewDecisions(submission: id).items.map { "\($0.verdict) \($0.reason ?? "-")" } == [
        "begin -", "approve well done",
      ])
    let moves = try store.auditLog(page: PageRequest(limit: 200)).items
      .filter { $0.action == "release.move" && $0.subject == "a 1 on production" }.reversed().map(\.after)
    #expect(
      moves == [
        "READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "PROCESSING_FOR_DISTRIBUTION",
        "READY_FOR_DISTRIBUTION",
      ])
  }

  @Test func anItemThatPassedWaitsForTheOthers() throws {
    let (first, second) = (try fixture.version("a"), try fixture.version("b"))
    let (id, items) = try fixture.draft(first, second)
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .approve)
    #expect(try fixture.items(id) == [.accepted, .readyForReview])
    #expect(try store.version(first.id).productionState == .accepted)
    #expect(try store.version(second.id).productionState == .inReview)
    #expect(try fixture.listed() == nil)
    let outcome = try fixture.decide(.item(items[1].id), .approve)
    #expect(outcome.release?.packs.map(\.assetPackIdentifier) == ["a", "b"])
    #expect(try fixture.items(id) == [.approved, .approved])
    #expect(try fixture.listed() == ["a 1", "b 1"])
  }

  @Test func aRejectedItemIsResolvedAndSubmittedAgain() throws {
    let (first, second) = (try fixture.version("a"), try fixture.version("b"))
    let (id, items) = try fixture.draft(first, second)
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .reject, "the sky is green")
    // The others are still looked at.
    #expect(try fixture.state(id) == .inReview)
    try fixture.decide(.item(items[1].id), .approve)
    #expect(try fixture.state(id) == .unresolvedIssues)
    #expect(try fixture.items(id) == [.rejected, .accepted])
    #expect(try store.reviewItem(items[0].id).reason == "the sky is green")
    #expect(try store.version(first.id).productionState == .rejected)
    let early = #expect(throws: StoreFailure.self) { try fixture.submit(id) }
    #expect(early?.sentence.contains("a 1") == true)
    _ = try store.resolveReviewItem(items[0].id, actor: ReviewFixture.publisher)
    #expect(try store.version(first.id).productionState == .readyForReview)
    try fixture.submit(id)
    #expect(try fixture.items(id) == [.readyForReview, .accepted])
    let outcome = try fixture.decide(.submission(id), .approve)
    #expect(outcome.submission.state == .complete)
    #expect(try fixture.listed() == ["a 1", "b 1"])
  }

  @Test func aRejectedItemIsRemovedAndItsSuccessorGoesWithTheRest() throws {
    let (first, second) = (try fixture.version("a"), try fixture.version("b"))
    let (id, items) = try fixture.draft(first, second)
    try fixture.submit(id)
    try fixture.decide(.item(items[1].id), .approve)
    try fixture.decide(.item(items[0].id), .reject, "no")
    let better = try fixture.version("a")
    let item = try store.addReviewItem(submission: id, version: better.id, actor: ReviewFixture.publisher)
    _ = try store.removeReviewItem(items[0].id, actor: ReviewFixture.publisher)
    #expect(try store.version(first.id).productionState == .prepareForSubmission)
    try fixture.submit(id)
    try fixture.decide(.item(item.id), .approve)
    #expect(try fixture.items(id) == [.removed, .approved, .approved])
    #expect(try fixture.listed() == ["a 2", "b 1"])
  }

  @Test func whatIsLeftAfterARemovalStillNeedsTheReviewer() throws {
    let (id, items) = try fixture.draft(try fixture.version("a"), try fixture.version("b"))
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .approve)
    _ = try store.removeReviewItem(items[1].id, actor: ReviewFixture.publisher)
    #expect(try fixture.state(id) == .inReview)
    #expect(try fixture.listed() == nil)
    let last = #expect(throws: StoreFailure.self) {
      _ = try store.removeReviewItem(items[0].id, actor: ReviewFixture.publisher)
    }
    #expect(last?.sentence.contains("withdraw") == true)
    try fixture.decide(.submission(id), .approve)
    #expect(try fixture.listed() == ["a 1"])
  }

  @Test func aWithdrawnSubmissionFreesItsVersions() throws {
    let version = try fixture.version("a")
    for steps in 0...2 {
      let (id, items) = try fixture.draft(version)
      if steps > 0 { try fixture.submit(id) }
      if steps > 1 { try fixture.decide(.item(items[0].id), .begin) }
      let withdrawn = try store.withdrawReview(id, reason: "not yet", actor: ReviewFixture.publisher)
      #expect(withdrawn.state == .complete)
      #expect(try fixture.items(id) == [.removed])
      #expect(try store.version(version.id).productionState == .prepareForSubmission)
    }
    #expect(try fixture.listed() == nil)
  }

  @Test func aDraftLosesItsItemsWithoutATrace() throws {
    let version = try fixture.version("a")
    let (id, items) = try fixture.draft(version)
    try store.deleteReviewItem(items[0].id, actor: ReviewFixture.publisher)
    #expect(try fixture.items(id).isEmpty)
    #expect(try store.version(version.id).productionState == .prepareForSubmission)
    let empty = #expect(throws: StoreFailure.self) { try fixture.submit(id) }
    #expect(empty?.sentence.contains("no items") == true)
    let again = try store.addReviewItem(submission: id, version: version.id, actor: ReviewFixture.publisher)
    try fixture.submit(id)
    let late = #expect(throws: StoreFailure.self) {
      try store.deleteReviewItem(again.id, actor: ReviewFixture.publisher)
    }
    guard case .stateNotAllowed(_, "WAITING_FOR_REVIEW", _, _) = late else {
      Issue.record("\(String(describing: late))")
      return
    }
  }

  @Test func movesThatTheStateDoesNotAllowNameTheLegalOnes() throws {
    let (id, items) = try fixture.draft(try fixture.version("a"))
    func refused(_ state: String, _ legal: String, _ body: () throws -> Void) {
      do {
        try body()
        Issue.record("\(state): nothing was refused")
      } catch StoreFailure.stateNotAllowed(_, let found, _, let moves) {
        #expect(found == state)
        #expect(moves.joined(separator: " ") == legal)
      } catch {
        Issue.record("\(error)")
      }
    }
    let publisher = ReviewFixture.publisher
    refused("READY_FOR_REVIEW", "submit cancel") { try fixture.decide(.submission(id), .approve) }
    refused("READY_FOR_REVIEW", "accept approve reject remove") {
      _ = try store.resolveReviewItem(items[0].id, actor: publisher)
    }
    try fixture.submit(id)
    refused("WAITING_FOR_REVIEW", "begin-review cancel") { try fixture.submit(id) }
    refused("WAITING_FOR_REVIEW", "begin-review cancel") {
      _ = try store.addReviewItem(submission: id, version: try fixture.version("b").id, actor: publisher)
    }
    try fixture.decide(.submission(id), .begin)
    refused("IN_REVIEW", "find-issues approve cancel") { try fixture.decide(.submission(id), .begin) }
    try fixture.decide(.item(items[0].id), .reject, "no")
    refused("UNRESOLVED_ISSUES", "submit cancel") { try fixture.decide(.submission(id), .approve) }
    _ = try store.withdrawReview(id, actor: publisher)
    refused("COMPLETE", "") { _ = try store.withdrawReview(id, actor: publisher) }
    refused("COMPLETE", "") { try fixture.decide(.submission(id), .approve) }
  }

  @Test func aVersionIsInOneReviewOfATrackAtATime() throws {
    let version = try fixture.version("a")
    let (id, items) = try fixture.draft(version)
    let other = try fixture.draft()
    #expect(throws: StoreFailure.alreadyExists(kind: .reviewItem, name: "a 1", id: items[0].id)) {
      _ = try store.addReviewItem(submission: id, version: version.id, actor: ReviewFixture.publisher)
    }
    let busy = StoreFailure.reviewInProgress(pack: "a", number: 1, track: .production, submission: id)
    #expect(throws: busy) {
      _ = try store.addReviewItem(submission: other.id, version: version.id, actor: ReviewFixture.publisher)
    }
    // Nor does it go live past its review.
    _ = try store.updateApp(fixture.app.id, reviewPolicy: ReviewPolicy.none, actor: TemporaryStore.actor)
    #expect(throws: busy) {
      _ = try store.release(
        app: fixture.app.id, track: .production, packs: [ReleaseItem("a")], actor: ReviewFixture.publisher)
    }
    let second = try fixture.version("a")
    #expect(throws: StoreFailure.alreadyExists(kind: .reviewItem, name: "a 1", id: items[0].id)) {
      _ = try store.addReviewItem(submission: id, version: second.id, actor: ReviewFixture.publisher)
    }
    // Another track is another review.
    _ = try fixture.draft(version, track: .beta)
  }

  @Test func onlyFittingVersionsGetIntoASubmission() throws {
    let publisher = ReviewFixture.publisher
    let tv = try store.createReviewSubmission(app: fixture.app.id, platform: .tvOS, actor: publisher)
    let phone = try fixture.version("a", platforms: [.iOS])
    #expect(throws: StoreFailure.self) {
      _ = try store.addReviewItem(submission: tv.id, version: phone.id, actor: publisher)
    }
    _ = try store.addReviewItem(submission: tv.id, version: try fixture.version("b").id, actor: publisher)
    let waiting = try store.createVersion(pack: try fixture.pack("c").id, actor: publisher)
    #expect(throws: StoreFailure.versionNotComplete(pack: "c", number: 1, state: .awaitingUpload)) {
      _ = try store.addReviewItem(submission: tv.id, version: waiting.id, actor: publisher)
    }
    let other = try store.makeApp("com.example.other")
    let foreign = try store.createReviewSubmission(app: other.id, actor: publisher)
    #expect(throws: StoreFailure.notFound(kind: .version, name: phone.id)) {
      _ = try store.addReviewItem(submission: foreign.id, version: phone.id, actor: publisher)
    }
    #expect(throws: StoreFailure.self) {
      _ = try store.createReviewSubmission(app: other.id, track: .internal, actor: publisher)
    }
  }

  @Test func submissionsAreListedByWhatIsAskedFor() throws {
    let (first, _) = try fixture.draft(try fixture.version("a"))
    let (second, _) = try fixture.draft(try fixture.version("b"), track: .beta)
    try fixture.submit(second)
    func ids(of app: String? = nil, _ wanted: (String, [JSONValue])...) throws -> [String] {
      let filters = wanted.compactMap { name, values in
        ListSchema.reviewSubmissions.columns.first { $0.name == name }.map { Listing.Filter($0, values) }
      }
      return try store.reviewSubmissions(of: app, Listing(.reviewSubmissions, filters: filters)).items.map(\.id)
    }
    #expect(try ids() == [second, first])
    #expect(try ids(("track", ["production"])) == [first])
    #expect(try ids(("state", ["WAITING_FOR_REVIEW", "IN_REVIEW"])) == [second])
    #expect(try ids(("state", ["COMPLETE"])).isEmpty)
    #expect(try ids(("app", [.string(fixture.app.id)]), ("track", ["beta"])) == [second])
    #expect(try ids(of: "nobody").isEmpty)
    let page = try store.reviewSubmissions(of: nil, Listing(.reviewSubmissions, page: PageRequest(limit: 1)))
    #expect(page.total == 2)
    let rest = PageRequest(behind: page.cursor, limit: 1)
    #expect(try store.reviewSubmissions(of: nil, Listing(.reviewSubmissions, page: rest)).items.map(\.id) == [first])
  }
}
