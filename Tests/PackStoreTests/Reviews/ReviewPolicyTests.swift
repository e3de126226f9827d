import AssetPacks
import Testing

@testable import PackStore

struct ReviewPolicyTests {
  private struct Case: Sendable {
    let policy: ReviewPolicy
    let role: Role
    let reviewer: Actor
    let mayDecide: Bool
  }

  private static let submitter = ReviewFixture.publisher
  private static let other = ReviewFixture.reviewer
  /// Another token of the submitter's: rotation keeps the name.
  private static let rotated = Actor(name: "pat", tokenID: "token-pat-2")
  /// The same token under a name that was changed.
  private static let renamed = Actor(name: "patricia", tokenID: "token-pat")

  @Test func thePolicySaysWhoDecides() throws {
    let cases = [
      Case(policy: .required, role: .reviewer, reviewer: Self.other, mayDecide: true),
      Case(policy: .required, role: .admin, reviewer: Self.submitter, mayDecide: true),
      Case(policy: .required, role: .publisher, reviewer: Self.other, mayDecide: false),
      Case(policy: .required, role: .viewer, reviewer: Self.other, mayDecide: false),
      Case(policy: .fourEyes, role: .reviewer, reviewer: Self.other, mayDecide: true),
      Case(policy: .fourEyes, role: .admin, reviewer: Self.other, mayDecide: true),
      Case(policy: .fourEyes, role: .admin, reviewer: Self.submitter, mayDecide: false),
      Case(policy: .fourEyes, role: .reviewer, reviewer: Self.rotated, mayDecide: false),
      Case(policy: .fourEyes, role: .reviewer, reviewer: Self.renamed, mayDecide: false),
      Case(policy: .fourEyes, role: .publisher, reviewer: Self.other, mayDecide: false),
    ]
    for verdict in ReviewVerdict.allCases {
      for entry in cases {
        let fixture = try ReviewFixture(entry.policy)
        let (id, _) = try fixture.draft(try fixture.version("a"))
        try fixture.submit(id)
        let before = try fixture.dump()
        do {
          try fixture.decide(.submission(id), verdict, "because", role: entry.role, by: entry.reviewer)
          #expect(entry.mayDecide, "\(entry) \(verdict)")
        } catch let failure as StoreFailure {
          #expect(!entry.mayDecide, "\(entry) \(verdict): \(failure.sentence)")
          #expect(try fixture.dump() == before)
          switch failure {
          case .reviewerIsSubmitter: #expect(entry.policy == .fourEyes && entry.role != .publisher)
          case .roleMayNotReview(let role, let policy): #expect(role == entry.role && policy == entry.policy)
          default: Issue.record("\(failure)")
          }
        }
      }
    }
  }

  @Test func whoSubmitsAgainIsTheSubmitter() throws {
    let fixture = try ReviewFixture(.fourEyes)
    let (id, items) = try fixture.draft(try fixture.version("a"))
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .reject, "no")
    _ = try fixture.store.resolveReviewItem(items[0].id, actor: Self.other)
    try fixture.submit(id, by: Self.other)
    let refused = #expect(throws: StoreFailure.self) { try fixture.decide(.submission(id), .approve) }
    #expect(refused == .reviewerIsSubmitter(reviewer: "rob", submission: id))
    #expect(refused?.sentence.contains("somebody else") == true)
    try fixture.decide(.submission(id), .approve, role: .admin, by: Self.submitter)
    #expect(try fixture.listed() == ["a 1"])
  }

  @Test func withoutAReviewASubmissionIsLiveAtOnce() throws {
    let fixture = try ReviewFixture(.none)
    for track in [Track.beta, .production] {
      let (id, _) = try fixture.draft(try fixture.version("a"), try fixture.version("b"), track: track)
      let outcome = try fixture.submit(id)
      #expect(outcome.submission.state == .complete)
      #expect(outcome.release?.track == track)
      #expect(try fixture.items(id) == [.approved, .approved])
    }
    #expect(try fixture.listed(.beta) == ["a 1", "b 1"])
    #expect(try fixture.listed() == ["a 2", "b 2"])
  }

  @Test func aDirectReleaseNeedsThePolicyNoneExceptOnTheInternalTrack() throws {
    for policy in ReviewPolicy.allCases {
      let fixture = try ReviewFixture(policy)
      _ = try fixture.version("a")
      for track in Track.allCases {
        let release = {
          _ = try fixture.store.release(
            app: fixture.app.id, track: track, packs: [ReleaseItem("a")], actor: Self.submitter)
        }
        if policy == .none || track == .internal {
          try release()
        } else {
          let failure = #expect(throws: StoreFailure.self) { try release() }
          #expect(failure == .reviewRequired(policy: policy))
          #expect(failure?.sentence.contains("packhouse review submit") == true)
        }
      }
    }
  }

  @Test func aRejectionNeedsAReason() throws {
    let fixture = try ReviewFixture()
    let (id, _) = try fixture.draft(try fixture.version("a"))
    try fixture.submit(id)
    for reason in [nil, ""] as [String?] {
      #expect(throws: StoreFailure.self) { try fixture.decide(.submission(id), .reject, reason) }
    }
    #expect(try fixture.state(id) == .waitingForReview)
  }
}
