import AssetPacks

// The only places that set the state of a release.

extension Change {
  /// Creates the release of a complete version on a track, in the track's first state.
  ///
  /// - Parameter superseded: whether a higher version has the internal slot already.
  func create(track: Track, version: VersionRecord, superseded: Bool = false) throws(StoreFailure) {
    let id = try newID()
    let state =
      switch track {
      case .internal: superseded ? InternalBetaState.superseded.rawValue : InternalBetaState.readyForTesting.rawValue
      case .beta: ExternalBetaState.readyForBetaSubmission.rawValue
      case .production: ProductionState.prepareForSubmission.rawValue
      }
    let wentLive = track == .internal && !superseded
    try connection.run(
      "INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        SQLValue(id), SQLValue(version.id), SQLValue(version.packID), SQLValue(track), SQLValue(state), SQLValue(now),
        SQLValue(now), wentLive ? SQLValue(now) : .null,
      ])
    try audit(
      "release.create", app: version.appID, subject: subject(version.assetPackIdentifier, version.number, track),
      after: state)
  }

  /// Takes a release out of the live slot, for a newer version.
  func supersede(_ live: LiveRelease, app: String, by number: Int) throws(StoreFailure) {
    try set("SUPERSEDED", release: live.id)
    try audit(
      "release.move", app: app, subject: subject(live.pack, live.number, live.track), before: live.state,
      after: "SUPERSEDED", reason: "version \(number)")
  }

  /// Walks a release from where it is to live, as far as the machine lets it; each move is audited.
  ///
  /// - Returns: the live state.
  func goLive(version: VersionRecord, track: Track, reason: String?) throws(StoreFailure) -> String {
    let subject = subject(version.assetPackIdentifier, version.number, track)
    let row = try connection.first(
      "SELECT id, state FROM releases WHERE version_id = ? AND track = ?", [SQLValue(version.id), SQLValue(track)]
    ) { ($0.text(0), $0.text(1)) }
    guard let (id, start) = row else { throw .notFound(kind: .version, name: subject) }
    var state = start
    for next in try path(from: start, track: track, subject: subject) {
      try set(next, release: id)
      try audit("release.move", app: version.appID, subject: subject, before: state, after: next, reason: reason)
      state = next
    }
    try connection.run("UPDATE releases SET went_live = ? WHERE id = ?", [SQLValue(now), SQLValue(id)])
    return state
  }

  private func path(from state: String, track: Track, subject: String) throws(StoreFailure) -> [String] {
    let line: [String] =
      switch track {
      case .internal: []
      case .beta:
        [
          ExternalBetaState.readyForBetaSubmission, .waitingForReview, .inReview, .processingForTesting,
          .readyForTesting,
        ].map(\.rawValue)
      case .production:
        [
          ProductionState.prepareForSubmission, .readyForReview, .waitingForReview, .inReview,
          .processingForDistribution, .readyForDistribution,
        ].map(\.rawValue)
      }
    guard let start = line.firstIndex(of: state) else {
      throw .stateNotAllowed(subject: subject, state: state, move: "a release", legalMoves: [])
    }
    return Array(line[(start + 1)...])
  }

  private func set(_ state: String, release id: String) throws(StoreFailure) {
    try connection.run(
      "UPDATE releases SET state = ?, changed = ? WHERE id = ?", [SQLValue(state), SQLValue(now), SQLValue(id)])
  }

  private func subject(_ pack: String, _ number: Int, _ track: Track) -> String {
    "\(pack) \(number) on \(track.rawValue)"
  }
}
