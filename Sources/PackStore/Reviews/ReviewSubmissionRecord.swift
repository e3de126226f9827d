import AssetPacks

/// Versions that are reviewed together and go live on a track as one, or not at all.
package struct ReviewSubmissionRecord: Sendable, Equatable {
  package let id: String
  package let appID: String
  /// `beta` or `production`.
  package let track: Track
  /// Nil for all.
  package let platform: Platform?
  package let state: ReviewSubmissionState
  /// Identifiers of packs that may disappear from a platform's manifest when it goes live.
  package let confirmedRemovals: [String]
  /// The rollout percentage that it starts with once approved, 0…100; nil for everybody at once.
  package let rolloutPercent: Int?
  /// Who last submitted it; nil for a draft.
  package let submitter: Actor?
  // Seconds since 1970.
  package let submitted: Int64?
  package let created: Int64
  /// When it entered its state.
  package let changed: Int64
}

/// One version of a submission.
package struct ReviewItemRecord: Sendable, Equatable {
  package let id: String
  package let submissionID: String
  package let appID: String
  package let track: Track
  package let versionID: String
  package let packID: String
  package let assetPackIdentifier: String
  package let number: Int
  package let state: ReviewItemState
  /// The state of the version's release on the track.
  package let releaseState: String
  /// The reason of the last verdict.
  package let reason: String?
  // Seconds since 1970.
  package let created: Int64
  package let changed: Int64

  /// Whether it still counts for its submission.
  var isOpen: Bool {
    switch state {
    case .readyForReview, .accepted, .rejected: true
    case .approved, .removed: false
    }
  }

  /// For sentences: `level-1 2`.
  var name: String { "\(assetPackIdentifier) \(number)" }
}

/// What a reviewer may say.
package enum ReviewVerdict: String, CaseIterable, Sendable {
  /// The review has begun; nothing is decided yet.
  case begin
  case approve
  case reject
}

/// What a reviewer said.
package struct ReviewDecisionRecord: Sendable, Equatable {
  package let id: String
  package let submissionID: String
  /// Nil when it was on the whole submission.
  package let itemID: String?
  package let verdict: ReviewVerdict
  package let reason: String?
  package let reviewer: Actor
  /// Seconds since 1970.
  package let at: Int64
}

/// The result of a step of a review.
package struct ReviewOutcome: Sendable, Equatable {
  package let submission: ReviewSubmissionRecord
  /// What it made live; nil when nothing.
  package let release: ReleaseResult?
  /// The decision that was kept, if the step was one.
  package let decision: ReviewDecisionRecord?
}

extension ReviewSubmissionRecord: Identified {}
extension ReviewItemRecord: Identified {}

extension ListSchema {
  /// Review submissions, the newest first.
  package static let reviewSubmissions = ListSchema(
    columns: [
      Column("app", "s.app_id", filter: .text),
      Column(
        "track", "s.track", filter: .choice([("beta", "beta"), ("production", "production")])),
      Column("platform", "s.platform", filter: .choice(Platform.allCases.map { ($0.apiName, $0.rawValue) })),
      Column("state", "s.state", filter: .choice(of: ReviewSubmissionState.self)),
      Column("createdDate", "s.created", sorts: true),
    ], source: "review_submissions s", sequence: "s.seq", isNewestFirst: true)
}
