import AssetPacks

/// A record that has been in its state for longer than the deadline of that state.
package struct OverdueState: Sendable, Hashable {
  package enum Kind: String, CaseIterable, Sendable {
    case version, release, submission, item, rollout
  }

  package let kind: Kind
  package let id: String
  package let state: String
  /// When it entered the state, in seconds since 1970.
  package let since: Int64
  /// The deadline in seconds, and the key that sets it.
  package let limit: Int
  package let deadline: Deadline
  package let appID: String
  /// What it is, with its ids.
  let about: AuditSubject
  /// What it is, for people: `level-1 2 on beta`.
  package var subject: String { about.text }

  /// Why it is reported, for the audit log and the journal.
  package var reason: String {
    let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    let (size, unit) = units.first { limit % $0.0 == 0 } ?? (1, "s")
    return "it is \(state) for longer than \(limit / size) \(unit) (deadlines.\(deadline.rawValue))"
  }
}

extension PackStore {
  /// Finds what has been in its state for too long, and writes one audit line `state.stuck` for each, also across
  /// restarts.
  ///
  /// - Returns: everything that is stuck now, and what of it was reported for the first time.
  package func checkDeadlines(_ deadlines: Deadlines) throws(StoreFailure) -> (
    stuck: [OverdueState], new: [OverdueState]
  ) {
    let now = now()
    let (found, isKnown) = try catalog.read { (connection) throws(StoreFailure) in
      let stuck = try connection.overdueStates(deadlines, now: now)
      let unknown = try connection.unreportedStates(stuck)
      let told = try connection.reportedStates()
      return (stuck, unknown.isEmpty && told == stuck.count)
    }
    if isKnown { return (found, []) }
    return try change(.daemon) { (change) throws(StoreFailure) in
      let stuck = try change.connection.overdueStates(deadlines, now: change.now)
      let new = try change.connection.unreportedStates(stuck)
      try change.connection.forgetReports(except: stuck)
      for state in new {
        try change.connection.run(
          "INSERT OR REPLACE INTO stuck_states VALUES (?, ?, ?, ?, ?)", state.kind, state.id, state.state, state.since,
          change.now)
        try change.audit(
          "state.stuck", app: state.appID, subject: state.about, before: state.state, reason: state.reason)
      }
      return (stuck, new)
    }
  }
}

extension CatalogConnection {
  /// What has been in its state for longer than that state's deadline.
  func overdueStates(_ deadlines: Deadlines, now: Int64) throws(StoreFailure) -> [OverdueState] {
    try overdue(.version, VersionStateMachine.self, deadlines, now, table: Self.versionStates)
      + overdue(.release, ExternalBetaStateMachine.self, deadlines, now, table: Self.releaseStates(.beta))
      + overdue(.release, ProductionStateMachine.self, deadlines, now, table: Self.releaseStates(.production))
      + overdue(.submission, ReviewSubmissionStateMachine.self, deadlines, now, table: Self.submissionStates)
      + overdue(.item, ReviewItemStateMachine.self, deadlines, now, table: Self.itemStates)
      + overdue(.rollout, RolloutStateMachine.self, deadlines, now, table: Self.rolloutStates)
  }

  private static let versionStates = """
    SELECT v.id AS id, v.state AS state, v.changed AS since, p.app_id AS app,
      p.identifier || ' ' || v.number AS subject, p.id AS pack, v.number AS number, NULL AS track, NULL AS submission
    FROM versions v JOIN packs p ON p.id = v.pack_id
    """

  /// Releases that wait for somebody: only of a pack's newest version, because nobody waits for an older one, and none
  /// in a review or a rollout, which are reported instead.
  private static func releaseStates(_ track: Track) -> String {
    """
    SELECT r.id AS id, r.state AS state, r.changed AS since, p.app_id AS app,
      p.identifier || ' ' || v.number || ' on \(track.rawValue)' AS subject, p.id AS pack, v.number AS number,
      r.track AS track, NULL AS submission
    FROM releases r JOIN versions v ON v.id = r.version_id JOIN packs p ON p.id = r.pack_id
    WHERE r.track = '\(track.rawValue)' AND p.archived = 0
    AND v.number = (SELECT max(n.number) FROM versions n WHERE n.pack_id = p.id AND n.state = 'COMPLETE')
    AND NOT EXISTS (SELECT 1 FROM review_items i WHERE i.version_id = v.id AND i.track = r.track
      AND i.state IN ('READY_FOR_REVIEW', 'ACCEPTED', 'REJECTED'))
    AND NOT EXISTS (SELECT 1 FROM rollout_packs s JOIN rollouts o ON o.id = s.rollout_id
      WHERE s.version_id = v.id AND o.track = r.track AND o.state IN ('RUNNING', 'PAUSED'))
    """
  }

  private static let submissionStates = """
    SELECT id, state, changed AS since, app_id AS app, 'review submission ' || id || ' for ' || track AS subject,
      NULL AS pack, NULL AS number, track, id AS submission
    FROM review_submissions
    """

  private static let itemStates = """
    SELECT i.id AS id, i.state AS state, i.changed AS since, p.app_id AS app,
      p.identifier || ' ' || v.number || ' in review for ' || i.track AS subject, p.id AS pack, v.number AS number,
      i.track AS track, i.submission_id AS submission
    FROM review_items i JOIN versions v ON v.id = i.version_id JOIN packs p ON p.id = v.pack_id
    """

  private static let rolloutStates = """
    SELECT id, state, changed AS since, app_id AS app, 'rollout ' || id || ' on ' || track AS subject,
      NULL AS pack, NULL AS number, track, NULL AS submission
    FROM rollouts
    """

  private func overdue<Machine: StateMachine>(
    _ kind: OverdueState.Kind, _ machine: Machine.Type, _ deadlines: Deadlines, _ now: Int64, table: String
  ) throws(StoreFailure) -> [OverdueState] {
    var deadlineOf: [String: Deadline] = [:]
    var cases = ""
    var values: [any SQLBindable] = []
    for state in Machine.State.allCases {
      guard let deadline = machine.deadline(in: state), deadlines[deadline] > 0 else { continue }
      deadlineOf[state.rawValue] = deadline
      cases += " WHEN '\(state.rawValue)' THEN ?"
      values.append(now - Int64(deadlines[deadline]))
    }
    if values.isEmpty { return [] }
    return try rows(
      """
      SELECT id, state, since, app, subject, pack, number, track, submission FROM (\(table))
      WHERE since < CASE state\(cases) END ORDER BY since, id
      """, values
    ) { (row) throws(StoreFailure) in
      let pack = row.optionalText(5).map { AuditSubject.Pack(id: $0, number: row.number(6)) }
      let about = AuditSubject.overdue(
        row.text(4), pack: pack, track: try row.optionalValue(7), submission: row.optionalText(8))
      return deadlineOf[row.text(1)].map { deadline in
        OverdueState(
          kind: kind, id: row.text(0), state: row.text(1), since: row.integer(2), limit: deadlines[deadline],
          deadline: deadline, appID: row.text(3), about: about)
      }
    }.compactMap { $0 }
  }

  /// Those that have not been reported.
  func unreportedStates(_ states: [OverdueState]) throws(StoreFailure) -> [OverdueState] {
    var unknown: [OverdueState] = []
    for state in states {
      let isKnown = try first(
        "SELECT 1 FROM stuck_states WHERE kind = ? AND id = ? AND state = ? AND since = ?", state.kind, state.id,
        state.state, state.since
      ) { _ in true }
      if isKnown == nil { unknown.append(state) }
    }
    return unknown
  }

  /// How many were reported and are remembered.
  func reportedStates() throws(StoreFailure) -> Int {
    try first("SELECT count(*) FROM stuck_states") { $0.number(0) } ?? 0
  }

  /// Forgets what has moved on.
  func forgetReports(except states: [OverdueState]) throws(StoreFailure) {
    let kept = Set(states.map { [$0.kind.rawValue, $0.id] })
    let told = try rows("SELECT kind, id FROM stuck_states") { [$0.text(0), $0.text(1)] }
    for key in told where !kept.contains(key) {
      try run("DELETE FROM stuck_states WHERE kind = ? AND id = ?", key[0], key[1])
    }
  }
}
