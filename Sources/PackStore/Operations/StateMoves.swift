import AssetPacks

// The only places that set the state of a version or an upload; what may follow what is said by the machines of
// AssetPacks.

extension Change {
  /// Moves a version by `events`, and writes an audit line for each.
  func move(
    version: VersionRecord, _ events: [VersionStateMachine.Event], reason: String? = nil
  ) throws(StoreFailure) {
    let subject = "\(version.assetPackIdentifier) \(version.number)"
    var before = version.state
    for transition in try walk(VersionStateMachine(state: before), events, subject: subject) {
      try connection.run(
        "UPDATE versions SET state = ?, changed = ? WHERE id = ?",
        [SQLValue(transition.state), SQLValue(now), SQLValue(version.id)])
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
        "UPDATE upload_files SET state = ?1, committed = coalesce(committed, ?2) WHERE id = ?3",
        [SQLValue(transition.state), SQLValue(now), SQLValue(upload.id)])
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
