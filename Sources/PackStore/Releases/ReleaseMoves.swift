import AssetPacks

// The only places that set the state of a release; the state machines of AssetPacks define the legal moves.

extension Change {
  /// Creates the release of a complete version on a track, in the track's first state.
  ///
  /// - Parameter superseded: whether a higher version already has the internal slot.
  func create(track: Track, version: VersionRecord, superseded: Bool = false) throws(StoreFailure) {
    let subject = version.subject(on: track)
    var states =
      switch track {
      case .internal: [InternalBetaStateMachine.creation.rawValue]
      case .beta: [ExternalBetaStateMachine.creation.rawValue]
      case .production: [ProductionStateMachine.creation.rawValue]
      }
    if superseded {
      states += try walk(InternalBetaStateMachine(), [.supersede], subject: subject.text).map(\.rawValue)
    }
    let wentLive = track == .internal && !superseded
    try connection.run(
      "INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", newID(), version.id, version.packID, track, states.last,
      now, now, wentLive ? now : nil)
    try audit("release.create", app: version.appID, subject: subject, after: states.joined(separator: ", "))
  }

  /// Takes a release out of the live slot, for a newer version.
  func supersede(_ live: LiveRelease, app: String, by number: Int) throws(StoreFailure) {
    let subject = AuditSubject.release(
      pack: live.packID, identifier: live.pack, number: live.number, track: live.track)
    let states =
      switch live.track {
      case .internal: try path(InternalBetaStateMachine.self, from: live.state, [.supersede], subject: subject)
      case .beta: try path(ExternalBetaStateMachine.self, from: live.state, [.supersede], subject: subject)
      case .production: try path(ProductionStateMachine.self, from: live.state, [.supersede], subject: subject)
      }
    try set(states, release: live.id, from: live.state, app: app, subject: subject, reason: "version \(number)")
  }

  /// Ends the release of a version that passed its review and reached only part of the clients.
  func giveUp(staged version: VersionRecord, track: Track, reason: String) throws(StoreFailure) {
    let subject = version.subject(on: track)
    let row = try connection.first(
      "SELECT id, state FROM releases WHERE version_id = ? AND track = ?", version.id, track
    ) { ($0.text(0), $0.text(1)) }
    guard let (id, start) = row else { throw .notFound(kind: .version, name: subject.text) }
    let states: [String]
    switch (track, start) {
    case (.beta, ExternalBetaState.processingForTesting.rawValue):
      states = try steps(ExternalBetaStateMachine.self, from: start, [.supersede], subject: subject)
    case (.production, ProductionState.processingForDistribution.rawValue):
      states = try steps(ProductionStateMachine.self, from: start, [.supersede], subject: subject)
    default: return
    }
    try set(states, release: id, from: start, app: version.appID, subject: subject, reason: reason)
  }

  /// Moves a release from its state to live, without a review; each move is audited.
  ///
  /// - Returns: the live state.
  /// - Throws: `reviewInProgress` for a version that is in an open review, which must end first.
  func goLive(version: VersionRecord, track: Track, reason: String?) throws(StoreFailure) -> String {
    let subject = version.subject(on: track)
    if let item = try connection.openReviewItem(version: version.id, track: track) {
      throw .reviewInProgress(
        pack: version.assetPackIdentifier, number: version.number, track: track, submission: item.submissionID)
    }
    let row = try connection.first(
      "SELECT id, state FROM releases WHERE version_id = ? AND track = ?", version.id, track
    ) { ($0.text(0), $0.text(1)) }
    guard let (id, start) = row else { throw .notFound(kind: .version, name: subject.text) }
    let states =
      switch track {
      // Live from its creation; a superseded release never comes back.
      case .internal: try path(InternalBetaStateMachine.self, from: start, [.supersede], subject: subject)
      case .beta:
        try path(
          ExternalBetaStateMachine.self, from: start, [.submit] + ExternalBetaStateMachine.unreviewedMoves,
          subject: subject)
      case .production:
        try path(
          ProductionStateMachine.self, from: start, [.add, .submit] + ProductionStateMachine.unreviewedMoves,
          subject: subject)
      }
    try set(states, release: id, from: start, app: version.appID, subject: subject, reason: reason)
    try connection.run("UPDATE releases SET went_live = ? WHERE id = ?", now, id)
    return states.last ?? start
  }

  /// Moves the release of an item's version as a step of its review asks; each move is audited.
  func move(release item: ReviewItemRecord, _ step: ReviewStep, reason: String? = nil) throws(StoreFailure) {
    let subject = AuditSubject.release(
      pack: item.packID, identifier: item.assetPackIdentifier, number: item.number, track: item.track)
    let row = try connection.first(
      "SELECT id, state FROM releases WHERE version_id = ? AND track = ?", item.versionID, item.track
    ) { ($0.text(0), $0.text(1)) }
    guard let (id, start) = row else { throw .notFound(kind: .version, name: subject.text) }
    let states =
      switch item.track {
      case .production: try steps(ProductionStateMachine.self, from: start, step.productionEvents, subject: subject)
      case .beta, .internal: try betaSteps(step, from: start, subject: subject)
      }
    try set(states, release: id, from: start, app: item.appID, subject: subject, reason: reason)
    if step == .goLive {
      try connection.run("UPDATE releases SET went_live = ? WHERE id = ?", now, id)
    }
  }

  private func betaSteps(_ step: ReviewStep, from start: String, subject: AuditSubject) throws(StoreFailure) -> [String]
  {
    let machine = ExternalBetaStateMachine.self
    switch step {
    case .add:
      // A draft does not change the beta release, but only what could be submitted may enter one.
      _ = try steps(machine, from: start, [.submit], subject: subject)
      return []
    case .remove:
      let state = ExternalBetaState(rawValue: start)
      guard let state, machine.transition(from: state, on: .withdraw) != nil else { return [] }
      return try steps(machine, from: start, [.withdraw], subject: subject)
    case .resolve:
      throw .stateNotAllowed(subject: subject.text, state: start, move: step.rawValue, legalMoves: [])
    case .accept: return []
    case .submit: return try steps(machine, from: start, [.submit], subject: subject)
    case .beginReview: return try steps(machine, from: start, [.beginReview], subject: subject)
    case .reject: return try steps(machine, from: start, [.reject], subject: subject)
    case .goLive: return try steps(machine, from: start, [.approve, .finishProcessing], subject: subject)
    case .stage: return try steps(machine, from: start, [.approve], subject: subject)
    }
  }

  private func steps<Machine: StateMachine>(
    _ machine: Machine.Type, from state: String, _ events: [Machine.Event], subject: AuditSubject
  ) throws(StoreFailure) -> [String] {
    guard let start = Machine.State(rawValue: state) else {
      throw .valueUnknown(column: "releases.state", value: state)
    }
    return try walk(Machine(state: start), events, subject: subject.text).map(\.rawValue)
  }

  /// The states that `events` lead through; those at the beginning that `state` has already passed are left out.
  private func path<Machine: StateMachine>(
    _ machine: Machine.Type, from state: String, _ events: [Machine.Event], subject: AuditSubject
  ) throws(StoreFailure) -> [String] {
    guard let start = Machine.State(rawValue: state) else {
      throw .valueUnknown(column: "releases.state", value: state)
    }
    let ahead = Array(events.drop { Machine.transition(from: start, on: $0) == nil })
    return try walk(Machine(state: start), ahead.isEmpty ? events : ahead, subject: subject.text).map(\.rawValue)
  }

  private func set(
    _ states: [String], release id: String, from start: String, app: String, subject: AuditSubject, reason: String?
  ) throws(StoreFailure) {
    var before = start
    for state in states {
      try connection.run("UPDATE releases SET state = ?, changed = ? WHERE id = ?", state, now, id)
      try audit("release.move", app: app, subject: subject, before: before, after: state, reason: reason)
      before = state
    }
  }

}

extension VersionRecord {
  /// Its release on a track.
  fileprivate func subject(on track: Track) -> AuditSubject {
    .release(pack: packID, identifier: assetPackIdentifier, number: number, track: track)
  }
}
