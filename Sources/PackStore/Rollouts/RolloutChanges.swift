import AssetPacks

extension PackStore {
  /// Raises the percentage of a rollout, or moves it, or both: a rollout that resumes does so first, all other moves
  /// follow the percentage.
  ///
  /// `finish` makes the new versions live for everybody. `stop` gives everybody the old bytes under new, higher
  /// numbers, because devices that have the new version ignore lower ones; while the percentage is 0 nobody has it, and
  /// the rollout simply ends.
  /// - Throws: `notFound`, `stateNotAllowed`, `percentageWouldFall`, `valueRefused`, `bytesGone`, `reviewRequired`,
  ///   `manifestWouldShrink`, `manifestWouldBeEmpty`, `hostNotAllowed`.
  package func changeRollout(
    _ id: String, percent: Int? = nil, move event: RolloutStateMachine.Event? = nil,
    confirmedRemovals: Set<String> = [], actor: Actor, reason: String? = nil
  ) throws(StoreFailure) -> RolloutRecord {
    if let percent { try checkPercent(percent) }
    if event == .stop { try checkPreviousBytes(id, percent: percent) }
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let before = try connection.rollout(id)
      let app = try connection.app(before.appID)
      if event == .resume { try change.move(rollout: before, .resume) }
      if let percent { try change.raise(rollout: try connection.rollout(id), to: percent) }
      if let event, event != .resume { try change.move(rollout: before, event) }
      let after = try connection.rollout(id)
      switch event {
      case .finish: try finish(after, change, reason: reason ?? "the rollout is finished")
      case .stop: try stop(after, change, reason: reason ?? "the rollout is stopped")
      case .pause, .resume, nil: break
      }
      if before.text != after.text {
        try change.audit(
          "rollout.change", app: app.id, subject: after.auditSubject, before: before.text, after: after.text,
          reason: reason)
      }
      try publishManifests(change, app: app, track: after.track, removals: .confirmed(confirmedRemovals))
      return after
    }
  }

  private func checkPreviousBytes(_ id: String, percent: Int?) throws(StoreFailure) {
    let versions = try catalog.read { (connection) throws(StoreFailure) in
      let rollout = try connection.rollout(id)
      guard max(rollout.percent, percent ?? 0) > 0 else { return [VersionRecord]() }
      var versions: [VersionRecord] = []
      for pack in rollout.packs { versions.append(try connection.version(pack.previousID)) }
      return versions
    }
    for version in versions { try checkBytes(version) }
  }

  private func finish(_ rollout: RolloutRecord, _ change: Change, reason: String) throws(StoreFailure) {
    for pack in rollout.packs {
      guard let live = try live(pack, rollout, change) else { continue }
      let version = try change.connection.version(pack.versionID)
      try change.connection.checkNotInReview(version, track: rollout.track)
      try change.supersede(live, app: rollout.appID, by: pack.number)
      _ = try change.goLive(version: version, track: rollout.track, reason: reason)
    }
  }

  private func stop(_ rollout: RolloutRecord, _ change: Change, reason: String) throws(StoreFailure) {
    for pack in rollout.packs {
      try change.giveUp(staged: try change.connection.version(pack.versionID), track: rollout.track, reason: reason)
    }
    if rollout.percent == 0 { return }
    for pack in rollout.packs {
      guard let live = try live(pack, rollout, change) else { continue }
      let version = try change.copy(try change.connection.version(pack.previousID), for: rollout.track)
      _ = try change.replace(live, by: version, track: rollout.track, reason: reason)
    }
  }

  /// What is live of a pack; nil when the pack was archived meanwhile.
  private func live(
    _ pack: RolloutRecord.Pack, _ rollout: RolloutRecord, _ change: Change
  ) throws(StoreFailure) -> LiveRelease? {
    if try change.connection.pack(pack.packID).archived { return nil }
    return try change.connection.liveRelease(pack: pack.packID, track: rollout.track)
  }
}

extension Change {
  /// Moves a rollout; the caller handles the consequences.
  func move(rollout: RolloutRecord, _ event: RolloutStateMachine.Event) throws(StoreFailure) {
    let state = try connection.rollout(rollout.id).state
    let subject = "The rollout \(rollout.id)"
    for next in try walk(RolloutStateMachine(state: state), [event], subject: subject) {
      try connection.run("UPDATE rollouts SET state = ?, changed = ? WHERE id = ?", next, now, rollout.id)
    }
  }

  /// Raises the percentage of a running rollout.
  func raise(rollout: RolloutRecord, to percent: Int) throws(StoreFailure) {
    if percent == rollout.percent { return }
    guard rollout.state == .running else {
      throw .stateNotAllowed(
        subject: "The rollout \(rollout.id)", state: rollout.state.rawValue, move: "another percentage",
        legalMoves: RolloutStateMachine.legalMoves(from: rollout.state).map(\.rawValue))
    }
    guard percent > rollout.percent else { throw .percentageWouldFall(from: rollout.percent, to: percent) }
    try connection.run("UPDATE rollouts SET percent = ?, changed = ? WHERE id = ?", percent, now, rollout.id)
  }
}
