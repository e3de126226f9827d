import AssetPacks
import Testing

@testable import PackStore

/// An approval happens as a whole or not at all.
struct ReviewAtomicityTests {
  /// Two packs with something live on production, and a submission with the next version of both.
  private func waiting(_ track: Track = .production, _ policy: ReviewPolicy = .required) throws -> (
    ReviewFixture, String
  ) {
    let fixture = try ReviewFixture(.none)
    let first = try fixture.draft(try fixture.version("a"), try fixture.version("b"), track: track)
    try fixture.submit(first.id)
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: policy, actor: TemporaryStore.actor)
    let (id, _) = try fixture.draft(try fixture.version("a"), try fixture.version("b"), track: track)
    if policy != .none { try fixture.submit(id) }
    return (fixture, id)
  }

  /// Makes the statement that would write the audit line of that number fail, as a full disk would.
  private func breakAt(_ line: Int, _ fixture: ReviewFixture) throws {
    try fixture.store.catalog.write { (connection) throws(StoreFailure) in
      try connection.script("DROP TRIGGER IF EXISTS broken", doing: "testing")
      try connection.script(
        """
        CREATE TRIGGER broken BEFORE INSERT ON audit WHEN (SELECT count(*) FROM audit) = \(line)
        BEGIN SELECT RAISE(ABORT, 'broken by the test'); END
        """, doing: "testing")
    }
  }

  private func mend(_ fixture: ReviewFixture) throws {
    try fixture.store.catalog.write { (connection) throws(StoreFailure) in
      try connection.script("DROP TRIGGER IF EXISTS broken", doing: "testing")
    }
  }

  /// Breaks `step` at each of its audit lines, one after the other, until it passes.
  private func breakEverywhere(_ fixture: ReviewFixture, _ step: () throws -> Void) throws -> Int {
    let before = try fixture.dump()
    let lines = before["audit"]?.count ?? 0
    for broken in 0..<200 {
      try breakAt(lines + broken, fixture)
      do {
        try step()
        try mend(fixture)
        return broken
      } catch {
        guard case .database = error as? StoreFailure else { throw error }
        #expect(try fixture.dump() == before, "broken at line \(broken)")
      }
    }
    throw StoreFailure.noCompleteVersion(pack: "it never passed")
  }

  @Test(arguments: [Track.production, .beta])
  func anApprovalThatBreaksInTheMiddleChangesNothing(_ track: Track) throws {
    let (fixture, id) = try waiting(track)
    let steps = try breakEverywhere(fixture) { try fixture.decide(.submission(id), .approve) }
    // The decision, the submission, two packs with items and releases, and a manifest for each platform and for all.
    #expect(steps > 15)
    #expect(try fixture.listed(track) == ["a 2", "b 2"])
    #expect(try fixture.state(id) == .complete)
  }

  @Test func aSubmissionWithoutReviewThatBreaksInTheMiddleChangesNothing() throws {
    let (fixture, id) = try waiting(.production, .none)
    let steps = try breakEverywhere(fixture) { try fixture.submit(id) }
    #expect(steps > 15)
    #expect(try fixture.listed() == ["a 2", "b 2"])
  }

  @Test func rejectionsAndWithdrawalsAreWholeToo() throws {
    let (fixture, id) = try waiting()
    #expect(try breakEverywhere(fixture) { try fixture.decide(.submission(id), .reject, "no") } > 5)
    #expect(try fixture.state(id) == .unresolvedIssues)
    #expect(
      try breakEverywhere(fixture) { _ = try fixture.store.withdrawReview(id, actor: ReviewFixture.publisher) } > 4)
    #expect(try fixture.items(id) == [.removed, .removed])
  }

  /// What may have come about between the submission and its approval.
  private func refused(
    _ fixture: ReviewFixture, _ id: String, _ expected: (StoreFailure) -> Bool, store: PackStore? = nil
  ) throws {
    let before = try fixture.dump()
    let failure = #expect(throws: StoreFailure.self) {
      _ = try (store ?? fixture.store).decideReview(
        .submission(id), .approve, role: .reviewer, actor: ReviewFixture.reviewer)
    }
    if let failure { #expect(expected(failure), "\(failure.sentence)") }
    #expect(try fixture.dump() == before)
  }

  @Test func aPackThatAnotherSubmissionMadeNewerRefusesTheWhole() throws {
    let (fixture, id) = try waiting()
    let (newer, _) = try fixture.draft(try fixture.version("b"))
    try fixture.submit(newer)
    try fixture.decide(.submission(newer), .approve)
    #expect(try fixture.listed() == ["a 1", "b 3"])
    try refused(fixture, id) { $0 == .versionWouldFall(pack: "b", track: .production, live: 3, requested: 2) }
    // Without the one that is too old, the rest may go.
    let item = try #require(try fixture.store.reviewItems(submission: id).items.last)
    _ = try fixture.store.removeReviewItem(item.id, actor: ReviewFixture.publisher)
    try fixture.decide(.submission(id), .approve)
    #expect(try fixture.listed() == ["a 2", "b 3"])
  }

  @Test func aPackOfARunningRolloutRefusesTheWhole() throws {
    let fixture = try ReviewFixture(.none)
    let first = try fixture.draft(try fixture.version("a"), try fixture.version("b"))
    try fixture.submit(first.id)
    _ = try fixture.version("b")
    _ = try fixture.store.startRollout(
      app: fixture.app.id, track: .production, packs: [ReleaseItem("b")], percent: 10, actor: ReviewFixture.publisher)
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: .required, actor: TemporaryStore.actor)
    let (id, _) = try fixture.draft(try fixture.version("a"), try fixture.version("b"))
    try fixture.submit(id)
    try refused(fixture, id) { $0 == .rolloutRunning(pack: "b", track: .production) }
  }

  @Test func anArchivedPackRefusesTheWhole() throws {
    let (fixture, id) = try waiting()
    try fixture.store.catalog.write { (connection) throws(StoreFailure) in
      try connection.run("UPDATE packs SET archived = 1 WHERE identifier = 'b'")
    }
    try refused(fixture, id) { $0 == .packArchived(pack: "b") }
  }

  @Test func aHostThatIsNoLongerAllowedRefusesTheWhole() throws {
    let (fixture, id) = try waiting()
    try fixture.store.catalog.write { (connection) throws(StoreFailure) in
      try connection.run("UPDATE app_domains SET pattern = 'elsewhere.example.com'")
    }
    try refused(fixture, id) {
      if case .hostNotAllowed("packs.example.com", _, _) = $0 { true } else { false }
    }
  }

  @Test func aManifestThatWouldShrinkRefusesTheWholeUnlessThatWasConfirmed() throws {
    for confirmed in [[], ["a"]] as [Set<String>] {
      let fixture = try ReviewFixture(.none)
      let first = try fixture.draft(
        try fixture.version("a"), try fixture.version("b"), track: .production)
      try fixture.submit(first.id)
      _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: .required, actor: TemporaryStore.actor)
      let (id, _) = try fixture.draft(
        try fixture.version("a", platforms: [.iOS]), try fixture.version("b"), confirmed: confirmed)
      try fixture.submit(id)
      if confirmed.isEmpty {
        try refused(fixture, id) { if case .manifestWouldShrink(.production, _, ["a"]) = $0 { true } else { false } }
      } else {
        try fixture.decide(.submission(id), .approve)
        #expect(try fixture.listed(.production, .platform(.macOS)) == ["b 2"])
      }
    }
  }
}
