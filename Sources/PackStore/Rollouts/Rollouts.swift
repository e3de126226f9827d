import AssetPacks
import SystemIO

extension PackStore {
  /// The rollouts of an app.
  package func rollouts(
    app: String, _ listing: Listing = Listing(.rollouts)
  ) throws(StoreFailure) -> Page<RolloutRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(app)
      return try connection.page(listing, where: "o.app_id = ?1", app) {
        (sequences) throws(StoreFailure) in
        try connection.rollouts("o.seq IN (SELECT value FROM json_each(?1))", CatalogConnection.list(sequences))
      }
    }
  }

  /// The rollout of that id.
  package func rollout(_ id: String) throws(StoreFailure) -> RolloutRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.rollout(id) }
  }

  /// Gives new versions of packs to a part of a track's clients. The others keep what is live.
  ///
  /// - Parameters:
  ///   - packs: each must have something live on the track, which the others get.
  ///   - percent: 0…100.
  ///   - confirmedRemovals: identifiers that may disappear from a platform's manifest for those who are reached.
  /// - Throws: `valueRefused`, `notFound`, `packArchived`, `versionNotComplete`, `noCompleteVersion`, `nothingLive`,
  ///   `rolloutRunning`, `reviewRequired` for bytes that were never live on the track, `versionWouldFall`,
  ///   `manifestWouldShrink`, `manifestWouldBeEmpty`, `hostNotAllowed`.
  package func startRollout(
    app id: String, track: Track, packs: [ReleaseItem], percent: Int, confirmedRemovals: Set<String> = [], actor: Actor
  ) throws(StoreFailure) -> RolloutRecord {
    guard track != .internal else {
      throw .valueRefused(
        field: "track", value: track.rawValue, expected: "beta or production: testers always get the newest version")
    }
    try checkPercent(percent)
    let names = packs.map(\.assetPackIdentifier)
    guard !names.isEmpty, Set(names).count == names.count else {
      throw .valueRefused(field: "packs", value: names.joined(separator: ", "), expected: "packs, each named once")
    }
    let rolloutID = try newID()
    let salt = try freshSalt()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let app = try connection.app(id)
      try open(rollout: rolloutID, change, app: id, track: track, percent: percent, salt: salt)
      for item in packs { try add(item, change, app: app, track: track, rollout: rolloutID) }
      let rollout = try connection.rollout(rolloutID)
      try change.audit("rollout.create", app: id, subject: rollout.auditSubject, after: rollout.text)
      try publishManifests(change, app: app, track: track, removals: .confirmed(confirmedRemovals))
      return rollout
    }
  }

  private func add(
    _ item: ReleaseItem, _ change: Change, app: AppRecord, track: Track, rollout: String
  ) throws(StoreFailure) {
    let connection = change.connection
    let pack = try connection.pack(app: app.id, identifier: item.assetPackIdentifier)
    if pack.archived { throw .packArchived(pack: pack.identifier) }
    let version = try connection.versionToRelease(pack: pack, number: item.number)
    guard let live = try connection.liveRelease(pack: pack.id, track: track) else {
      throw .nothingLive(pack: pack.identifier, track: track)
    }
    let highest = try connection.highestLiveNumber(pack: pack.id, track: track) ?? 0
    guard version.number > live.number, version.number >= highest else {
      throw .versionWouldFall(pack: pack.identifier, track: track, live: highest, requested: version.number)
    }
    try checkApproved(connection, app: app, track: track, version: version)
    try connection.checkNotInReview(version, track: track)
    try add(change, version: version.id, of: pack.id, over: live, track: track, rollout: rollout)
  }

  /// A rollout without packs yet. There is at most one on a track.
  private func open(
    rollout: String, _ change: Change, app: String, track: Track, percent: Int, salt: UInt64
  ) throws(StoreFailure) {
    if try change.connection.runningRollout(app: app, track: track) != nil {
      throw .rolloutRunning(pack: nil, track: track)
    }
    try change.connection.run(
      """
      INSERT INTO rollouts (id, app_id, track, state, percent, salt, created, changed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, rollout, app, track, RolloutStateMachine.creation, percent, Int64(bitPattern: salt), change.now,
      change.now)
  }

  private func add(
    _ change: Change, version: String, of pack: String, over live: LiveRelease, track: Track, rollout: String
  ) throws(StoreFailure) {
    let connection = change.connection
    try connection.run("INSERT INTO rollout_packs VALUES (?, ?, ?, ?)", rollout, pack, live.versionID, version)
    // From now on a client may have it: its bytes are kept, and no lower number may follow.
    try connection.run(
      "UPDATE releases SET went_live = coalesce(went_live, ?) WHERE version_id = ? AND track = ?", change.now, version,
      track)
  }

  /// Begins the rollout of the versions that a review has approved.
  ///
  /// - Parameter items: versions with what is live instead of each.
  func beginRollout(
    _ change: Change, _ submission: ReviewSubmissionRecord, percent: Int,
    _ items: [(item: ReviewItemRecord, live: LiveRelease)]
  ) throws(StoreFailure) {
    let id = try newID()
    try open(
      rollout: id, change, app: submission.appID, track: submission.track, percent: percent, salt: try freshSalt())
    for (item, live) in items {
      try add(change, version: item.versionID, of: item.packID, over: live, track: submission.track, rollout: id)
    }
    let rollout = try change.connection.rollout(id)
    try change.audit(
      "rollout.create", app: submission.appID, subject: rollout.auditSubject, after: rollout.text,
      reason: submission.subject)
  }

  func checkPercent(_ percent: Int) throws(StoreFailure) {
    guard (0...100).contains(percent) else {
      throw .valueRefused(field: "percent", value: "\(percent)", expected: "a whole number from 0 to 100")
    }
  }

  private func freshSalt() throws(StoreFailure) -> UInt64 {
    try random(try secureRandomBytes(8)).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension RolloutRecord {
  var subject: String {
    "\(packs.map { "\($0.assetPackIdentifier) \($0.number)" }.joined(separator: ", ")) on \(track.rawValue)"
  }
  /// For the audit log.
  var text: String { "\(state.rawValue) \(percent) %" }
}
