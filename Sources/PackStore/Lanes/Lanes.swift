import AssetPacks

extension PackStore {
  /// How many lanes a track may have: each costs up to two manifests for each platform.
  package static let laneLimit = 16

  /// The lanes of an app.
  package func lanes(app: String, _ listing: Listing = Listing(.lanes)) throws(StoreFailure) -> Page<LaneRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(app)
      return try connection.page(listing, where: "l.app_id = ?1 AND l.removed IS NULL", app) {
        (sequences) throws(StoreFailure) in
        try lanes(connection, "l.seq IN (SELECT value FROM json_each(?1))", CatalogConnection.list(sequences))
      }
    }
  }

  /// The lane of that id.
  package func lane(_ id: String) throws(StoreFailure) -> LaneRecord {
    try catalog.read { (connection) throws(StoreFailure) in try lane(connection, id) }
  }

  /// Creates a lane of a track. Packs that it does not pin follow the track.
  ///
  /// - Throws: `alreadyExists`, and what ``updateLane(_:pins:confirmedRemovals:actor:)`` throws.
  package func createLane(
    app id: String, track: Track, name: String, pins: [LanePin], confirmedRemovals: Set<String> = [], actor: Actor
  ) throws(StoreFailure) -> LaneRecord {
    guard let name = LaneName(name)?.text else {
      throw .valueRefused(
        field: "name", value: name, expected: "1 to 64 characters of A–Z a–z 0–9 . _ -, not beginning with . or -")
    }
    try checkBytes(of: pins, app: id)
    let fresh = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let app = try connection.app(id)
      let row = try connection.first(
        "SELECT id, removed IS NULL FROM lanes WHERE app_id = ? AND track = ? AND name = ?", id, track, name
      ) { ($0.text(0), $0.flag(1)) }
      if let row, row.1 { throw .alreadyExists(kind: .lane, name: name, id: row.0) }
      guard try connection.lanes(app: id, track: track).count < Self.laneLimit else {
        throw .valueRefused(
          field: "name", value: name,
          expected: "one of the at most \(Self.laneLimit) lanes of a track; remove one first")
      }
      if let row {
        try connection.run("UPDATE lanes SET removed = NULL, changed = ? WHERE id = ?", change.now, row.0)
      } else {
        try connection.run(
          "INSERT INTO lanes (id, app_id, track, name, created, changed) VALUES (?, ?, ?, ?, ?, ?)", fresh, id, track,
          name, change.now, change.now)
      }
      let laneID = row?.0 ?? fresh
      try set(pins, change, app: app, track: track, lane: laneID)
      try change.audit(
        "lane.create", app: id, subject: .lane(name, track: track), after: try text(connection, lane: laneID))
      try publishManifests(change, app: app, track: track, removals: .confirmed(confirmedRemovals))
      return try lane(connection, laneID)
    }
  }

  /// Changes what a lane pins; packs that `pins` does not name stay as they are.
  ///
  /// - Throws: `notFound`, `packArchived`, `versionNotComplete`, `bytesGone`, `reviewRequired` for bytes that were
  ///   never live on the track, `versionWouldFall`, `rolloutRunning`, `manifestWouldShrink`, `manifestWouldBeEmpty`,
  ///   `hostNotAllowed`.
  package func updateLane(
    _ id: String, pins: [LanePin], confirmedRemovals: Set<String> = [], actor: Actor
  ) throws(StoreFailure) -> LaneRecord {
    try checkBytes(of: pins, app: try lane(id).appID)
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let old = try lane(connection, id)
      let app = try connection.app(old.appID)
      let before = try text(connection, lane: id)
      try refuseFall(connection, lane: old, pins: pins)
      try set(pins, change, app: app, track: old.track, lane: id)
      try connection.run("UPDATE lanes SET changed = ? WHERE id = ?", change.now, id)
      try change.audit(
        "lane.change", app: app.id, subject: .lane(old.name, track: old.track), before: before,
        after: try text(connection, lane: id))
      try publishManifests(change, app: app, track: old.track, removals: .confirmed(confirmedRemovals))
      return try lane(connection, id)
    }
  }

  /// Removes a lane. A client that asks for it from then on gets 404, keeps its packs, and gets nothing new.
  package func removeLane(_ id: String, actor: Actor) throws(StoreFailure) -> LaneRecord {
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let old = try lane(connection, id)
      let before = try text(connection, lane: id)
      try connection.run("DELETE FROM lane_pins WHERE lane_id = ?", id)
      try connection.run("UPDATE lanes SET removed = ?, changed = ? WHERE id = ?", change.now, change.now, id)
      try change.audit(
        "lane.remove", app: old.appID, subject: .lane(old.name, track: old.track), before: before)
      return old
    }
  }

  /// Refuses versions whose files are gone. Files are not touched inside a transaction.
  private func checkBytes(of pins: [LanePin], app: String) throws(StoreFailure) {
    let versions = try catalog.read { (connection) throws(StoreFailure) in
      var versions: [VersionRecord] = []
      for pin in pins {
        guard let number = pin.number else { continue }
        let pack = try connection.pack(app: app, identifier: pin.assetPackIdentifier)
        versions.append(try connection.versionToRelease(pack: pack, number: number))
      }
      return versions
    }
    for version in versions { try checkBytes(version) }
  }

  private func set(
    _ pins: [LanePin], _ change: Change, app: AppRecord, track: Track, lane: String
  ) throws(StoreFailure) {
    let connection = change.connection
    let names = pins.map(\.assetPackIdentifier)
    guard Set(names).count == names.count else {
      throw .valueRefused(field: "packs", value: names.joined(separator: ", "), expected: "packs, each named once")
    }
    for pin in pins {
      let pack = try connection.pack(app: app.id, identifier: pin.assetPackIdentifier)
      guard let number = pin.number else {
        try connection.run("DELETE FROM lane_pins WHERE lane_id = ? AND pack_id = ?", lane, pack.id)
        continue
      }
      if pack.archived { throw .packArchived(pack: pack.identifier) }
      let version = try connection.versionToRelease(pack: pack, number: number)
      try checkApproved(connection, app: app, track: track, version: version)
      try connection.run(
        "INSERT INTO lane_pins VALUES (?, ?, ?) ON CONFLICT (lane_id, pack_id) DO UPDATE SET "
          + "version_id = excluded.version_id", lane, pack.id, version.id)
      try connection.run(
        "INSERT INTO lane_versions VALUES (?, ?) ON CONFLICT (version_id) DO NOTHING", version.id, change.now)
    }
  }

  /// Some of the lane's clients may have got a rollout's new version already, and would fall behind it.
  private func refuseFall(_ connection: CatalogConnection, lane: LaneRecord, pins: [LanePin]) throws(StoreFailure) {
    guard let rollout = try connection.runningRollout(app: lane.appID, track: lane.track), rollout.percent > 0 else {
      return
    }
    for pin in pins {
      guard let number = pin.number else { continue }
      let reached = rollout.packs.first { $0.assetPackIdentifier == pin.assetPackIdentifier }?.number ?? 0
      if number < reached { throw .rolloutRunning(pack: pin.assetPackIdentifier, track: lane.track) }
    }
  }

  private func text(_ connection: CatalogConnection, lane: String) throws(StoreFailure) -> String {
    try connection.pins(lane: lane).map { "\($0.assetPackIdentifier) \($0.number)" }.joined(separator: ", ")
  }
}
