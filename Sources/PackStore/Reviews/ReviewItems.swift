import AssetPacks

extension PackStore {
  /// How many versions one submission may hold, as a release may.
  private static let itemLimit = 1000

  /// Adds a version to a draft, or to a submission that came back with issues.
  ///
  /// - Throws: `notFound`, `versionNotComplete`, `packArchived`, `alreadyExists`, `reviewInProgress`,
  ///   `versionWouldFall`, `stateNotAllowed`, `valueRefused` for a version of another platform.
  package func addReviewItem(
    submission id: String, version versionID: String, actor: Actor
  ) throws(StoreFailure) -> ReviewItemRecord {
    let itemID = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let submission = try connection.reviewSubmission(id)
      let version = try connection.version(versionID)
      // A version of another app cannot be in this submission.
      guard version.appID == submission.appID else { throw .notFound(kind: .version, name: versionID) }
      try submission.checkEditable("adding an item")
      try check(connection, version, for: submission)
      try connection.run(
        """
        INSERT INTO review_items (id, submission_id, version_id, track, state, created, changed)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, itemID, id, version.id, submission.track, ReviewItemStateMachine.creation, change.now, change.now)
      let item = try connection.reviewItem(itemID)
      try change.audit(
        "reviewItem.create", app: item.appID, subject: item.auditSubject, after: item.state.rawValue,
        reason: submission.subject)
      try change.move(release: item, .add)
      return try connection.reviewItem(itemID)
    }
  }

  private func check(
    _ connection: CatalogConnection, _ version: VersionRecord, for submission: ReviewSubmissionRecord
  ) throws(StoreFailure) {
    let pack = try connection.pack(version.packID)
    if pack.archived { throw .packArchived(pack: pack.identifier) }
    if version.collected != nil { throw .versionCollected(pack: pack.identifier, number: version.number) }
    guard version.state == .complete else {
      throw .versionNotComplete(pack: pack.identifier, number: version.number, state: version.state)
    }
    if let platform = submission.platform, !version.platforms.isEmpty, !version.platforms.contains(platform) {
      throw .valueRefused(
        field: "backgroundAssetVersion", value: "\(pack.identifier) \(version.number)",
        expected: "a version for \(platform.rawValue), the platform of the submission")
    }
    if let open = try connection.openReviewItem(version: version.id, track: submission.track) {
      if open.submissionID == submission.id { throw .alreadyExists(kind: .reviewItem, name: open.name, id: open.id) }
      throw .reviewInProgress(
        pack: pack.identifier, number: version.number, track: submission.track, submission: open.submissionID)
    }
    let items = try connection.openReviewItems(submission: submission.id)
    // A rejected version may have its successor beside it; it must be removed before the next submit anyway.
    if let other = items.first(where: { $0.packID == pack.id && $0.state != .rejected }) {
      throw .alreadyExists(kind: .reviewItem, name: other.name, id: other.id)
    }
    guard items.count < Self.itemLimit else {
      throw .submissionNotReady(submission: submission.id, fault: "It may hold \(Self.itemLimit) items at most.")
    }
    try connection.checkRise(pack: pack, number: version.number, track: submission.track)
  }

  /// The item of that id.
  package func reviewItem(_ id: String) throws(StoreFailure) -> ReviewItemRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.reviewItem(id) }
  }

  /// The items of a submission in the order in which they were added, the removed ones too.
  package func reviewItems(
    submission: String, page: PageRequest = .init()
  ) throws(StoreFailure) -> Page<ReviewItemRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.reviewSubmission(submission)
      let rows = try connection.reviewItems(
        "i.submission_id = ?1 AND i.seq > ?2 ORDER BY i.seq LIMIT ?3", submission, page.after ?? 0, page.limit + 1)
      let total = try connection.first(
        "SELECT count(*) FROM review_items WHERE submission_id = ?", submission
      ) { $0.number(0) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// Answers a rejection: the item waits to be submitted again, with the same version.
  package func resolveReviewItem(
    _ id: String, reason: String? = nil, actor: Actor
  ) throws(StoreFailure) -> ReviewItemRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let item = try change.connection.reviewItem(id)
      let submission = try change.connection.reviewSubmission(item.submissionID)
      // While other items of the submission are under review, the review goes on.
      try submission.checkEditable("resolving an item")
      try change.move(item: item, .resolve, reason: reason)
      try change.move(release: item, .resolve, reason: reason)
      return try change.connection.reviewItem(id)
    }
  }

  /// Removes an item from its submission; the other items stay.
  ///
  /// - Throws: `submissionNotReady` for the last item of a submission under review.
  package func removeReviewItem(
    _ id: String, reason: String? = nil, actor: Actor
  ) throws(StoreFailure) -> ReviewItemRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let item = try connection.reviewItem(id)
      let submission = try connection.reviewSubmission(item.submissionID)
      let others = try connection.openReviewItems(submission: submission.id).filter { $0.id != id }
      if others.isEmpty, item.isOpen, submission.state != .readyForReview {
        throw .submissionNotReady(
          submission: submission.id, fault: "\(item.name) is its last item; withdraw the submission instead.")
      }
      try remove(change, item, reason: reason)
      try findIssues(change, submission, others)
      return try connection.reviewItem(id)
    }
  }

  /// Deletes an item from a draft, without a trace.
  package func deleteReviewItem(_ id: String, actor: Actor) throws(StoreFailure) {
    try change(actor) { (change) throws(StoreFailure) in
      let item = try change.connection.reviewItem(id)
      let submission = try change.connection.reviewSubmission(item.submissionID)
      guard submission.state == .readyForReview else {
        throw .stateNotAllowed(
          subject: submission.sentenceSubject, state: submission.state.rawValue, move: "deleting an item",
          legalMoves: ["remove (PATCH with removed)"])
      }
      if item.isOpen { try remove(change, item, reason: nil) }
      try change.connection.run("DELETE FROM review_items WHERE id = ?", id)
    }
  }

  /// Moves an item and its release out of the review.
  func remove(_ change: Change, _ item: ReviewItemRecord, reason: String?) throws(StoreFailure) {
    try change.move(item: item, .remove, reason: reason)
    try change.move(release: item, .remove, reason: reason)
  }

  /// Returns a submission to its submitter when all items have a verdict and one is a rejection.
  func findIssues(
    _ change: Change, _ submission: ReviewSubmissionRecord, _ items: [ReviewItemRecord]
  ) throws(StoreFailure) {
    guard submission.state == .inReview, items.contains(where: { $0.state == .rejected }),
      !items.contains(where: { $0.state == .readyForReview })
    else { return }
    try change.move(submission: submission, [.findIssues])
  }
}
