import AssetPacks

extension ReviewSubmissionRecord {
  /// For sentences and the audit log.
  var subject: String { "review submission \(id) for \(track.rawValue)" }
}

extension ReviewItemRecord {
  /// For sentences and the audit log.
  var subject: String { "\(name) in review for \(track.rawValue)" }
}

extension CatalogConnection {
  func reviewSubmission(_ id: String) throws(StoreFailure) -> ReviewSubmissionRecord {
    guard let found = try reviewSubmissions("id = ?1", id).first?.item else {
      throw .notFound(kind: .reviewSubmission, name: id)
    }
    return found
  }

  func reviewSubmissions(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: ReviewSubmissionRecord)] {
    try rows(
      """
      SELECT seq, id, app_id, track, platform, state, confirmed_removals, submitter, submitter_token, submitted,
        created, changed, rollout_percent
      FROM review_submissions WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = ReviewSubmissionRecord(
        id: row.text(1), appID: row.text(2), track: try row.value(3), platform: try row.optionalValue(4),
        state: try row.value(5), confirmedRemovals: row.text(6).split(separator: " ").map { String($0) },
        rolloutPercent: row.optionalInteger(12).map { Int($0) },
        submitter: row.optionalText(7).map { Actor(name: $0, tokenID: row.optionalText(8)) },
        submitted: row.optionalInteger(9), created: row.integer(10), changed: row.integer(11))
      return (row.integer(0), record)
    }
  }

  func reviewItem(_ id: String) throws(StoreFailure) -> ReviewItemRecord {
    guard let found = try reviewItems("i.id = ?1", id).first?.item else {
      throw .notFound(kind: .reviewItem, name: id)
    }
    return found
  }

  /// The items that still count for a submission, in the order in which they were added.
  func openReviewItems(submission: String) throws(StoreFailure) -> [ReviewItemRecord] {
    try reviewItems("i.submission_id = ?1 ORDER BY i.seq", submission).map(\.item).filter(\.isOpen)
  }

  /// The item with which a version is in an open review of a track; nil when it is in none.
  func openReviewItem(version: String, track: Track) throws(StoreFailure) -> ReviewItemRecord? {
    try reviewItems("i.version_id = ?1 AND i.track = ?2", version, track).map(\.item)
      .first(where: \.isOpen)
  }

  /// An item with which another version of a pack is in review for the beta, submitted and without an outcome.
  func otherInBetaReview(pack: String, version: String) throws(StoreFailure) -> ReviewItemRecord? {
    try reviewItems(
      """
      i.track = 'beta' AND v.pack_id = ?1 AND i.version_id <> ?2
      AND r.state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'PROCESSING_FOR_TESTING')
      """, pack, version
    ).map(\.item).first(where: \.isOpen)
  }

  /// The items that meet `condition`, where `i` is the item, `v` its version, `p` the pack and `r` the release.
  func reviewItems(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: ReviewItemRecord)] {
    try rows(
      """
      SELECT i.seq, i.id, i.submission_id, p.app_id, i.track, v.id, p.id, p.identifier, v.number, i.state, r.state,
        i.reason, i.created, i.changed
      FROM review_items i JOIN versions v ON v.id = i.version_id JOIN packs p ON p.id = v.pack_id
      JOIN releases r ON r.version_id = v.id AND r.track = i.track WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = ReviewItemRecord(
        id: row.text(1), submissionID: row.text(2), appID: row.text(3), track: try row.value(4), versionID: row.text(5),
        packID: row.text(6), assetPackIdentifier: row.text(7), number: row.number(8), state: try row.value(9),
        releaseState: row.text(10), reason: row.optionalText(11), created: row.integer(12), changed: row.integer(13))
      return (row.integer(0), record)
    }
  }

  func reviewDecisions(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: ReviewDecisionRecord)] {
    try rows(
      """
      SELECT seq, id, submission_id, item_id, decision, reason, actor, token_id, at FROM review_decisions
      WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = ReviewDecisionRecord(
        id: row.text(1), submissionID: row.text(2), itemID: row.optionalText(3), verdict: try row.value(4),
        reason: row.optionalText(5), reviewer: Actor(name: row.text(6), tokenID: row.optionalText(7)),
        at: row.integer(8))
      return (row.integer(0), record)
    }
  }
}

extension Change {
  /// Moves a review submission by `events`, and writes an audit line for each.
  func move(
    submission: ReviewSubmissionRecord, from state: ReviewSubmissionState? = nil,
    _ events: [ReviewSubmissionStateMachine.Event], reason: String? = nil
  ) throws(StoreFailure) {
    var before = state ?? submission.state
    for next in try walk(ReviewSubmissionStateMachine(state: before), events, subject: submission.subject) {
      try connection.run(
        "UPDATE review_submissions SET state = ?, changed = ? WHERE id = ?", next, now, submission.id)
      try audit(
        "reviewSubmission.move", app: submission.appID, subject: submission.auditSubject, before: before.rawValue,
        after: next.rawValue, reason: reason)
      before = next
    }
  }

  /// Moves an item of a review submission by one event.
  func move(item: ReviewItemRecord, _ event: ReviewItemStateMachine.Event, reason: String? = nil) throws(StoreFailure) {
    for next in try walk(ReviewItemStateMachine(state: item.state), [event], subject: item.subject) {
      try connection.run("UPDATE review_items SET state = ?, changed = ? WHERE id = ?", next, now, item.id)
      try audit(
        "reviewItem.move", app: item.appID, subject: item.auditSubject, before: item.state.rawValue,
        after: next.rawValue, reason: reason)
    }
  }
}
