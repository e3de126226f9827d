import AssetPacks

extension PackStore {
  /// Creates an empty draft.
  ///
  /// - Parameters:
  ///   - track: `beta` or `production`; the internal track has no review.
  ///   - platform: refuses items that are not for it; nil takes all.
  ///   - confirmedRemovals: identifiers that may disappear from a platform's manifest.
  ///   - rolloutPercent: when it is approved it begins a rollout with this percentage, instead of going live for all.
  package func createReviewSubmission(
    app: String, track: Track = .production, platform: Platform? = nil, confirmedRemovals: Set<String> = [],
    rolloutPercent: Int? = nil, actor: Actor
  ) throws(StoreFailure) -> ReviewSubmissionRecord {
    guard track != .internal else {
      throw .valueRefused(field: "track", value: track.rawValue, expected: "beta or production; internal has no review")
    }
    if let rolloutPercent { try checkPercent(rolloutPercent) }
    let removals = try checkedRemovals(confirmedRemovals)
    let id = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      _ = try connection.app(app)
      try connection.run(
        """
        INSERT INTO review_submissions
          (id, app_id, track, platform, state, confirmed_removals, rollout_percent, created, changed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, id, app, track, platform, ReviewSubmissionStateMachine.creation, removals, rolloutPercent,
        change.now, change.now)
      let submission = try connection.reviewSubmission(id)
      try change.audit(
        "reviewSubmission.create", app: app, subject: submission.auditSubject, after: submission.state.rawValue)
      return submission
    }
  }

  /// The submission of that id.
  package func reviewSubmission(_ id: String) throws(StoreFailure) -> ReviewSubmissionRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.reviewSubmission(id) }
  }

  /// The submissions of all apps, or of one.
  package func reviewSubmissions(
    of app: String? = nil, _ listing: Listing = Listing(.reviewSubmissions)
  ) throws(StoreFailure) -> Page<ReviewSubmissionRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.page(listing, where: "?1 IS NULL OR s.app_id = ?1", app) {
        (sequences) throws(StoreFailure) in
        try connection.reviewSubmissions("seq IN (SELECT value FROM json_each(?1))", CatalogConnection.list(sequences))
      }
    }
  }

  /// Changes which packs may disappear; only in a draft or after a rejection, so that reviewers see what they approve.
  package func updateReviewSubmission(
    _ id: String, confirmedRemovals: Set<String>, actor: Actor
  ) throws(StoreFailure) -> ReviewSubmissionRecord {
    let removals = try checkedRemovals(confirmedRemovals)
    return try change(actor) { (change) throws(StoreFailure) in
      let submission = try change.connection.reviewSubmission(id)
      try submission.checkEditable("change")
      try set(change, removals, of: submission)
      return try change.connection.reviewSubmission(id)
    }
  }

  private func set(_ change: Change, _ removals: String, of submission: ReviewSubmissionRecord) throws(StoreFailure) {
    let before = submission.confirmedRemovals.joined(separator: " ")
    if before == removals { return }
    try change.connection.run(
      "UPDATE review_submissions SET confirmed_removals = ? WHERE id = ?", removals, submission.id)
    try change.audit(
      "reviewSubmission.confirmedRemovals", app: submission.appID, subject: submission.auditSubject, before: before,
      after: removals)
  }

  /// Hands a submission to the reviewers, the first time or again. Under the policy `none` it goes live at once, in the
  /// same transaction.
  ///
  /// - Parameter confirmedRemovals: nil leaves them as they are.
  /// - Throws: `stateNotAllowed`, `submissionNotReady`, `packArchived`, `versionWouldFall`, `reviewInProgress`; under
  ///   `none` also what a release throws.
  package func submitReview(
    _ id: String, confirmedRemovals: Set<String>? = nil, reason: String? = nil, actor: Actor
  ) throws(StoreFailure) -> ReviewOutcome {
    let removals = try confirmedRemovals.map { (names) throws(StoreFailure) in try checkedRemovals(names) }
    return try finishReview { (store) throws(StoreFailure) in
      try store.change(actor) { (change) throws(StoreFailure) in
        try store.submit(change, id: id, removals: removals, reason: reason)
      }
    }
  }

  private func submit(
    _ change: Change, id: String, removals: String?, reason: String?
  ) throws(StoreFailure) -> ReviewStepResult {
    let connection = change.connection
    let submission = try connection.reviewSubmission(id)
    if let removals { try set(change, removals, of: submission) }
    let items = try connection.openReviewItems(submission: id)
    _ = try change.walk(
      ReviewSubmissionStateMachine(state: submission.state), [.submit], subject: submission.sentenceSubject)
    try checkReady(submission, items)
    for item in items {
      let pack = try connection.pack(item.packID)
      if pack.archived { throw .packArchived(pack: pack.identifier) }
      try connection.checkRise(pack: pack, number: item.number, track: item.track)
      if item.track == .beta, let other = try connection.otherInBetaReview(pack: pack.id, version: item.versionID) {
        throw .reviewInProgress(
          pack: pack.identifier, number: other.number, track: .beta, submission: other.submissionID)
      }
    }
    try connection.run(
      "UPDATE review_submissions SET submitter = ?, submitter_token = ?, submitted = ? WHERE id = ?", change.actor.name,
      change.actor.tokenID, change.now, id)
    try change.move(submission: submission, [.submit], reason: reason)
    for item in items where item.state == .readyForReview { try change.move(release: item, .submit, reason: reason) }
    guard try connection.app(submission.appID).reviewPolicy == .none else { return ReviewStepResult(submission: id) }
    let waiting = try connection.reviewSubmission(id)
    try beginReview(change, waiting, items)
    return try goLive(
      change, try connection.reviewSubmission(id), try connection.openReviewItems(submission: id), reason: reason)
  }

  private func checkReady(_ submission: ReviewSubmissionRecord, _ items: [ReviewItemRecord]) throws(StoreFailure) {
    if items.isEmpty {
      throw .submissionNotReady(
        submission: submission.id, fault: "It has no items; add versions with POST /v1/reviewSubmissionItems.")
    }
    let rejected = items.filter { $0.state == .rejected }.map(\.name)
    if !rejected.isEmpty {
      throw .submissionNotReady(
        submission: submission.id,
        fault: "\(rejected.joined(separator: ", ")) was rejected; resolve or remove each of them, then submit again.")
    }
  }

  /// Withdraws a submission: its items are removed, and their versions may be submitted again.
  package func withdrawReview(
    _ id: String, reason: String? = nil, actor: Actor
  ) throws(StoreFailure) -> ReviewSubmissionRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let submission = try change.connection.reviewSubmission(id)
      let items = try change.connection.openReviewItems(submission: id)
      try change.move(submission: submission, [.cancel], reason: reason)
      for item in items { try remove(change, item, reason: reason) }
      try change.move(submission: submission, from: .canceling, [.finish], reason: reason)
      return try change.connection.reviewSubmission(id)
    }
  }

  private func checkedRemovals(_ names: Set<String>) throws(StoreFailure) -> String {
    for name in names {
      _ = try checked("confirmedRemovals", try AssetPackID(name))
    }
    return names.sorted().joined(separator: " ")
  }
}

extension ReviewSubmissionRecord {
  /// At the beginning of a sentence.
  var sentenceSubject: String { "The \(subject)" }

  /// Refuses when reviewers have the submission, or it has ended.
  func checkEditable(_ move: String) throws(StoreFailure) {
    if state == .readyForReview || state == .unresolvedIssues { return }
    throw .stateNotAllowed(
      subject: sentenceSubject, state: state.rawValue, move: move,
      legalMoves: ReviewSubmissionStateMachine.legalMoves(from: state).map(\.rawValue))
  }
}
