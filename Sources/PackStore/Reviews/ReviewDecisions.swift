import AssetPacks

/// The subject of a verdict.
package enum ReviewTarget: Sendable, Equatable {
  /// All items that wait for a verdict.
  case submission(String)
  case item(String)
}

extension PackStore {
  /// A reviewer's verdict. When every item has passed, the submission goes live in the same transaction; when every
  /// item has a verdict and one was rejected, it goes back to its submitter.
  ///
  /// - Parameters:
  ///   - reason: needed for a rejection.
  ///   - role: the reviewer's role.
  /// - Throws: `reviewerIsSubmitter`, `roleMayNotReview`, `stateNotAllowed`, `submissionNotReady`, and what a release
  ///   throws, with nothing changed at all.
  package func decideReview(
    _ target: ReviewTarget, _ verdict: ReviewVerdict, reason: String? = nil, role: Role, actor: Actor
  ) throws(StoreFailure) -> ReviewOutcome {
    if verdict == .reject, reason?.isEmpty ?? true {
      throw .valueRefused(field: "reason", value: "", expected: "what is wrong, for those who submitted it")
    }
    let decision = try newID()
    return try finishReview { (store) throws(StoreFailure) in
      try store.change(actor) { (change) throws(StoreFailure) in
        let connection = change.connection
        let item: ReviewItemRecord? =
          if case .item(let id) = target { try connection.reviewItem(id) } else { nil }
        let id = if case .submission(let id) = target { id } else { item?.submissionID ?? "" }
        let submission = try connection.reviewSubmission(id)
        try store.admit(change, role, to: submission)
        try store.keep(change, decision, submission, item, verdict, reason)
        let begun = try store.begin(change, submission, verdict)
        let items = try connection.openReviewItems(submission: id)
        var result =
          switch verdict {
          case .begin: ReviewStepResult(submission: id)
          case .approve: try store.approve(change, begun, items, only: item, reason: reason)
          case .reject: try store.reject(change, begun, items, only: item, reason: reason)
          }
        result.decision = decision
        return result
      }
    }
  }

  /// The verdicts on a submission and its items, in the order in which they were given.
  package func reviewDecisions(
    submission: String, page: PageRequest = .init()
  ) throws(StoreFailure) -> Page<ReviewDecisionRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.reviewSubmission(submission)
      let rows = try connection.reviewDecisions(
        "submission_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3", submission, page.after ?? 0, page.limit + 1)
      let total = try connection.first(
        "SELECT count(*) FROM review_decisions WHERE submission_id = ?", submission
      ) { $0.number(0) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// The verdict of that id.
  package func reviewDecision(_ id: String) throws(StoreFailure) -> ReviewDecisionRecord {
    try catalog.read { (connection) throws(StoreFailure) in
      guard let found = try connection.reviewDecisions("id = ?1", id).first else {
        throw .notFound(kind: .reviewDecision, name: id)
      }
      return found.item
    }
  }

  /// Whether the app's policy lets this reviewer decide.
  private func admit(_ change: Change, _ role: Role, to submission: ReviewSubmissionRecord) throws(StoreFailure) {
    let policy = try change.connection.app(submission.appID).reviewPolicy
    let isSubmitter =
      try submission.submitter.map { (submitter) throws(StoreFailure) in
        try change.connection.isSamePerson(change.actor, submitter)
      } ?? false
    if policy.allowsDecision(by: role, isSubmitter: isSubmitter) { return }
    if policy.allowsDecision(by: role, isSubmitter: false) {
      throw .reviewerIsSubmitter(reviewer: change.actor.name, submission: submission.id)
    }
    throw .roleMayNotReview(role: role, policy: policy)
  }

  private func keep(
    _ change: Change, _ id: String, _ submission: ReviewSubmissionRecord, _ item: ReviewItemRecord?,
    _ verdict: ReviewVerdict, _ reason: String?
  ) throws(StoreFailure) {
    try change.connection.run(
      """
      INSERT INTO review_decisions (id, submission_id, item_id, decision, reason, actor, token_id, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, id, submission.id, item?.id, verdict, reason, change.actor.name, change.actor.tokenID, change.now)
    try change.audit(
      "reviewSubmission.decide", app: submission.appID, subject: item?.auditSubject ?? submission.auditSubject,
      after: verdict.rawValue, reason: reason)
  }

  /// The submission in review: already, or by this first verdict.
  private func begin(
    _ change: Change, _ submission: ReviewSubmissionRecord, _ verdict: ReviewVerdict
  ) throws(StoreFailure) -> ReviewSubmissionRecord {
    if submission.state == .inReview, verdict != .begin { return submission }
    try beginReview(change, submission, try change.connection.openReviewItems(submission: submission.id))
    return try change.connection.reviewSubmission(submission.id)
  }

  private func approve(
    _ change: Change, _ submission: ReviewSubmissionRecord, _ items: [ReviewItemRecord], only: ReviewItemRecord?,
    reason: String?
  ) throws(StoreFailure) -> ReviewStepResult {
    let waiting = items.filter { $0.state == .readyForReview }
    let rejected = items.filter { $0.state == .rejected }
    if only == nil, !rejected.isEmpty {
      throw .submissionNotReady(
        submission: submission.id,
        fault: "\(rejected.map(\.name).joined(separator: ", ")) was rejected; approve the others one by one.")
    }
    if let only { _ = try change.walk(ReviewItemStateMachine(state: only.state), [.accept], subject: only.subject) }
    let passing = only.map { [$0] } ?? waiting
    for item in passing { try change.connection.setReason(reason, item: item.id) }
    if rejected.isEmpty, passing.count == waiting.count {
      return try goLive(change, submission, items, reason: reason)
    }
    for item in passing {
      try change.move(item: item, .accept, reason: reason)
      try change.move(release: item, .accept, reason: reason)
    }
    try findIssues(change, submission, try change.connection.openReviewItems(submission: submission.id))
    return ReviewStepResult(submission: submission.id)
  }

  private func reject(
    _ change: Change, _ submission: ReviewSubmissionRecord, _ items: [ReviewItemRecord], only: ReviewItemRecord?,
    reason: String?
  ) throws(StoreFailure) -> ReviewStepResult {
    let failing = only.map { [$0] } ?? items.filter { $0.state == .readyForReview }
    if failing.isEmpty {
      throw .submissionNotReady(
        submission: submission.id, fault: "No item waits for a verdict; approve it, or have it withdrawn.")
    }
    for item in failing {
      try change.move(item: item, .reject, reason: reason)
      try change.move(release: item, .reject, reason: reason)
      try change.connection.setReason(reason, item: item.id)
    }
    try findIssues(change, submission, try change.connection.openReviewItems(submission: submission.id))
    return ReviewStepResult(submission: submission.id)
  }
}

extension CatalogConnection {
  /// Whether two actors are the same person as far as the catalog knows: by the token, or by its name, which a
  /// replacement token keeps.
  func isSamePerson(_ a: Actor, _ b: Actor) throws(StoreFailure) -> Bool {
    if let first = a.tokenID, let second = b.tokenID, first == second { return true }
    return a.name == b.name
  }

  func setReason(_ reason: String?, item: String) throws(StoreFailure) {
    try run("UPDATE review_items SET reason = ? WHERE id = ?", reason, item)
  }
}
