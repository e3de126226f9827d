import AssetPacks

// The only places that set the state of a version, an upload, a review submission or a review item; what may follow
// what is said by the machines of AssetPacks.

extension Change {
  /// Moves a version by `events`, and writes an audit line for each.
  func move(
    version: VersionRecord, _ events: [VersionStateMachine.Event], reason: String? = nil
  ) throws(StoreFailure) {
    let subject = "\(version.assetPackIdentifier) \(version.number)"
    var before = version.state
    for transition in try walk(VersionStateMachine(state: before), events, subject: subject) {
      try connection.run("UPDATE versions SET state = ?, changed = ? WHERE id = ?", transition.state, now, version.id)
      try audit(
        "version.move", app: version.appID, subject: subject, before: before.rawValue,
        after: transition.state.rawValue, reason: reason)
      before = transition.state
    }
  }

  /// Moves an upload by `events`.
  func move(upload: UploadRecord, _ events: [UploadFileStateMachine.Event]) throws(StoreFailure) {
    let subject = "The upload \(upload.fileName)"
    for transition in try walk(UploadFileStateMachine(state: upload.state), events, subject: subject) {
      try connection.run(
        "UPDATE upload_files SET state = ?1, committed = coalesce(committed, ?2) WHERE id = ?3", transition.state, now,
        upload.id)
    }
  }

  /// Moves a review submission by `events`, and writes an audit line for each.
  func move(
    submission: ReviewSubmissionRecord, from state: ReviewSubmissionState? = nil,
    _ events: [ReviewSubmissionStateMachine.Event], reason: String? = nil
  ) throws(StoreFailure) {
    var before = state ?? submission.state
    for transition in try walk(ReviewSubmissionStateMachine(state: before), events, subject: submission.subject) {
      try connection.run(
        "UPDATE review_submissions SET state = ?, changed = ? WHERE id = ?", transition.state, now, submission.id)
      try audit(
        "reviewSubmission.move", app: submission.appID, subject: submission.subject, before: before.rawValue,
        after: transition.state.rawValue, reason: reason)
      before = transition.state
    }
  }

  /// Moves an item of a review submission by one event.
  func move(item: ReviewItemRecord, _ event: ReviewItemStateMachine.Event, reason: String? = nil) throws(StoreFailure) {
    for transition in try walk(ReviewItemStateMachine(state: item.state), [event], subject: item.subject) {
      try connection.run("UPDATE review_items SET state = ?, changed = ? WHERE id = ?", transition.state, now, item.id)
      try audit(
        "reviewItem.move", app: item.appID, subject: item.subject, before: item.state.rawValue,
        after: transition.state.rawValue, reason: reason)
    }
  }

  /// Makes a version and its upload FAILED.
  func fail(version id: String, messages: [VersionMessage]) throws(StoreFailure) {
    let reason = messages.first { $0.level == .error }?.description
    let version = try connection.version(id)
    // What is given up before its commit takes both moves at once.
    try move(version: version, version.state == .awaitingUpload ? [.commit, .fail] : [.fail], reason: reason)
    if let upload = try connection.upload(version: id) {
      try move(upload: upload, upload.state == .awaitingUpload ? [.commit, .fail] : [.fail])
    }
    try connection.addMessages(messages, version: id)
  }

  /// Takes a machine through `events`: all are legal, or `stateNotAllowed` is thrown.
  func walk<Machine: StateMachine>(
    _ machine: Machine, _ events: [Machine.Event], subject: String
  ) throws(StoreFailure) -> [Transition<Machine.State>] {
    var machine = machine
    do throws(IllegalMove) {
      return try machine.walk(events)
    } catch {
      throw .stateNotAllowed(
        subject: subject, state: error.from, move: error.event, legalMoves: error.legalMoves)
    }
  }
}
