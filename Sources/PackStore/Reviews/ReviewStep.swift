import AssetPacks

/// What a review does to the release of a version.
enum ReviewStep: String {
  case add, submit
  case beginReview = "begin-review"
  case accept, reject, resolve, remove
  /// Approved, and live at once.
  case goLive = "approve"
  /// Approved, and given to a part of the clients first.
  case stage

  /// The moves of a production release; those of a beta release, which has fewer states, are in `ReleaseMoves.swift`.
  var productionEvents: [ProductionStateMachine.Event] {
    switch self {
    case .add: [.add]
    case .submit: [.submit]
    case .beginReview: [.beginReview]
    case .accept: [.accept]
    case .reject: [.reject]
    case .resolve: [.resolve]
    case .remove: [.remove]
    case .goLive: [.approve, .finishProcessing]
    case .stage: [.approve]
    }
  }
}

/// What a step of a review did inside its transaction.
struct ReviewStepResult: Sendable, Identified {
  var submission: String
  var track = Track.production
  /// The packs that went live; nil when nothing did.
  var live: [ReleaseResult.Pack]?
  var decision: String?

  /// The record that the request created.
  var id: String { decision ?? submission }
}

extension PackStore {
  /// Runs a step in its transaction, and reads the result.
  func finishReview(
    _ step: (PackStore) throws(StoreFailure) -> ReviewStepResult
  ) throws(StoreFailure) -> ReviewOutcome {
    let result = try step(self)
    let (submission, app, decision) = try catalog.read { (connection) throws(StoreFailure) in
      let submission = try connection.reviewSubmission(result.submission)
      let decision = try result.decision.flatMap { (id) throws(StoreFailure) in
        try connection.reviewDecisions("id = ?1", id).first?.item
      }
      return (submission, try connection.app(submission.appID), decision)
    }
    let release = result.live.map { packs in
      ReleaseResult(
        track: result.track, packs: packs, manifestURL: manifestURL(bundleID: app.bundleID, track: result.track))
    }
    return ReviewOutcome(submission: submission, release: release, decision: decision)
  }

  /// A reviewer, or the policy `none`, begins the review of a waiting submission.
  func beginReview(
    _ change: Change, _ submission: ReviewSubmissionRecord, _ items: [ReviewItemRecord]
  ) throws(StoreFailure) {
    try change.move(submission: submission, [.beginReview])
    for item in items where item.state == .readyForReview { try change.move(release: item, .beginReview) }
  }

  /// Takes all items of a submission live as one: every release, every item, the submission and the manifests in the
  /// transaction of `change`, or none of them. With a rollout percentage, versions of packs that have something live
  /// begin a rollout instead; packs that are new on the track have no earlier version for other clients, and go live.
  ///
  /// - Parameter items: the open items; each has passed.
  /// - Throws: `packArchived`, `versionWouldFall`, `manifestWouldShrink`, `manifestWouldBeEmpty`, `hostNotAllowed`,
  ///   `stateNotAllowed`.
  func goLive(
    _ change: Change, _ submission: ReviewSubmissionRecord, _ items: [ReviewItemRecord], reason: String?
  ) throws(StoreFailure) -> ReviewStepResult {
    let connection = change.connection
    try change.move(submission: submission, [.approve], reason: reason)
    var packs: [ReleaseResult.Pack] = []
    var staged: [(item: ReviewItemRecord, live: LiveRelease)] = []
    for item in items {
      let version = try connection.version(item.versionID)
      let pack = try connection.pack(item.packID)
      var previous: Int?
      if submission.rolloutPercent != nil,
        let live = try connection.liveRelease(pack: item.packID, track: submission.track)
      {
        try checkMayReplace(connection, pack: pack, version: version, track: submission.track)
        staged.append((item, live))
        previous = live.number
      } else {
        previous = try makeWay(change, pack: pack, version: version, track: submission.track)
      }
      try change.move(item: item, .approve, reason: reason)
      try change.move(release: item, staged.last?.item.id == item.id ? .stage : .goLive, reason: reason)
      packs.append(
        ReleaseResult.Pack(
          assetPackIdentifier: item.assetPackIdentifier, versionID: item.versionID, number: item.number,
          state: try connection.reviewItem(item.id).releaseState, previousNumber: previous))
    }
    if let percent = submission.rolloutPercent, !staged.isEmpty {
      try beginRollout(change, submission, percent: percent, staged)
    }
    try publishManifests(
      change, app: try connection.app(submission.appID), track: submission.track,
      removals: .confirmed(Set(submission.confirmedRemovals)))
    try noteQuota(change, app: submission.appID)
    try change.move(submission: submission, from: .completing, [.finish], reason: reason)
    return ReviewStepResult(submission: submission.id, track: submission.track, live: packs)
  }
}
