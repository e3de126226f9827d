import AssetPacks

extension PackStore {
  /// Creates the next version of a pack, with a number that no version of it ever had.
  ///
  /// - Throws: `notFound`, `packArchived`.
  package func createVersion(pack: String, actor: Actor) throws(StoreFailure) -> VersionRecord {
    let id = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let owner = try connection.pack(pack)
      if owner.archived { throw .packArchived(pack: owner.identifier) }
      let number = owner.lastVersion + 1
      try connection.run("UPDATE packs SET last_version = ? WHERE id = ?", number, pack)
      try connection.run(
        "INSERT INTO versions (id, pack_id, number, state, created, changed) VALUES (?, ?, ?, ?, ?, ?)", id, pack,
        number, VersionStateMachine.creation, change.now, change.now)
      try change.audit(
        "version.create", app: owner.appID,
        subject: .version(pack: owner.id, identifier: owner.identifier, number: number))
      return try connection.version(id)
    }
  }

  /// The version of that id.
  package func version(_ id: String) throws(StoreFailure) -> VersionRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.version(id) }
  }

  /// The versions of a pack.
  package func versions(pack: String, _ listing: Listing) throws(StoreFailure) -> Page<VersionRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.pack(pack)
      return try connection.page(listing, where: "v.pack_id = ?1", pack) {
        (sequences) throws(StoreFailure) in
        try connection.versions("v.seq IN (SELECT value FROM json_each(?1))", CatalogConnection.list(sequences))
      }
    }
  }

  /// The versions of a pack, the newest first.
  package func versions(
    pack: String, filter: VersionFilter = .init(), page: PageRequest = .init()
  ) throws(StoreFailure) -> Page<VersionRecord> {
    try versions(pack: pack, Listing(.versions, filters: filter.filters, page: page))
  }

  /// The newest versions of each of these packs, at most `limit` of one pack, with how many there are.
  package func newestVersions(
    packs: [String], limit: Int
  ) throws(StoreFailure) -> (versions: [VersionRecord], totals: [String: Int]) {
    try catalog.read { (connection) throws(StoreFailure) in
      let wanted = CatalogConnection.list(packs)
      let versions = try connection.versions(
        """
        v.seq IN (SELECT n.seq FROM json_each(?1) k JOIN versions n ON n.seq IN (
          SELECT seq FROM versions WHERE pack_id = k.value ORDER BY number DESC LIMIT ?2)) ORDER BY v.seq DESC
        """, wanted, limit)
      let totals = try connection.rows(
        """
        SELECT pack_id, count(*) FROM versions WHERE pack_id IN (SELECT value FROM json_each(?1)) GROUP BY pack_id
        """, wanted
      ) { ($0.text(0), $0.number(1)) }
      return (versions.map(\.item), Dictionary(totals, uniquingKeysWith: { $1 }))
    }
  }

  /// The versions with these ids, as far as they exist.
  package func versions(ids: [String]) throws(StoreFailure) -> [VersionRecord] {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.versions("v.id IN (SELECT value FROM json_each(?1))", CatalogConnection.list(ids)).map(\.item)
    }
  }

  /// The complete version of a pack with the highest number; nil when there is none.
  package func newestCompleteVersion(pack: String) throws(StoreFailure) -> VersionRecord? {
    try catalog.read { (connection) throws(StoreFailure) in try connection.newestCompleteVersion(pack: pack) }
  }

  /// The versions whose upload is committed and whose processing has not ended, the oldest first.
  package func versionsInProcessing() throws(StoreFailure) -> [VersionRecord] {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.versions("v.state = ?1 ORDER BY v.seq", VersionState.processing).map(\.item)
    }
  }
}

extension CatalogConnection {
  /// The versions that meet `condition`, where `v` is the version, `p` its pack and `u` its upload.
  func versions(_ condition: String, _ values: any SQLBindable...) throws(StoreFailure) -> [(
    seq: Int64, item: VersionRecord
  )] {
    let found = try rows(
      """
      SELECT v.seq, v.id, v.pack_id, p.app_id, p.identifier, v.number, v.state, v.platforms, v.language, u.size,
        v.size, v.install_size, v.sha256, v.policy, v.user_info, v.created,
        ri.state, rb.state, rp.state, ri.id, rb.id, rp.id, u.id, v.collected
      FROM versions v JOIN packs p ON p.id = v.pack_id
      LEFT JOIN upload_files u ON u.version_id = v.id AND u.asset_type = 'ASSET'
      LEFT JOIN releases ri ON ri.version_id = v.id AND ri.track = 'internal'
      LEFT JOIN releases rb ON rb.version_id = v.id AND rb.track = 'beta'
      LEFT JOIN releases rp ON rp.version_id = v.id AND rp.track = 'production' WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = VersionRecord(
        id: row.text(1), packID: row.text(2), appID: row.text(3), assetPackIdentifier: row.text(4),
        number: row.number(5), state: try row.value(6), platforms: platforms(row.text(7)),
        language: row.optionalText(8), messages: [],
        fileSize: row.optionalInteger(9), downloadSize: row.optionalInteger(10), installSize: row.optionalInteger(11),
        sha256: row.optionalText(12), policy: row.optionalText(13), userInfo: row.optionalText(14),
        created: row.integer(15), internalState: try row.optionalValue(16), externalState: try row.optionalValue(17),
        productionState: try row.optionalValue(18), internalReleaseID: row.optionalText(19),
        externalReleaseID: row.optionalText(20), productionReleaseID: row.optionalText(21),
        uploadID: row.optionalText(22), collected: row.optionalInteger(23))
      return (seq: row.integer(0), item: record)
    }
    let messages = try messages(versions: found.map(\.item.id))
    guard !messages.isEmpty else { return found }
    return found.map { ($0.seq, $0.item.with(messages[$0.item.id] ?? [])) }
  }

  func version(_ id: String) throws(StoreFailure) -> VersionRecord {
    guard let found = try versions("v.id = ?1", id).first else {
      throw .notFound(kind: .version, name: id)
    }
    return found.item
  }

  func newestCompleteVersion(pack: String) throws(StoreFailure) -> VersionRecord? {
    try versions(
      "v.pack_id = ?1 AND v.state = ?2 AND v.collected IS NULL ORDER BY v.number DESC LIMIT 1", pack,
      VersionState.complete
    ).first?.item
  }

  /// The messages of each of these versions; no entry for those without any.
  private func messages(versions: [String]) throws(StoreFailure) -> [String: [VersionMessage]] {
    guard !versions.isEmpty else { return [:] }
    let found = try rows(
      """
      SELECT version_id, level, code, description FROM version_messages
      WHERE version_id IN (SELECT value FROM json_each(?)) ORDER BY version_id, position
      """, [Self.list(versions)]
    ) { (row) throws(StoreFailure) in
      (id: row.text(0), message: VersionMessage(try row.value(1), code: row.text(2), description: row.text(3)))
    }
    return Dictionary(grouping: found, by: \.id).mapValues { $0.map(\.message) }
  }

  /// Adds to the version's `stateDetails`.
  func addMessages(_ messages: [VersionMessage], version: String) throws(StoreFailure) {
    for message in messages {
      try run(
        """
        INSERT INTO version_messages SELECT ?1, count(*), ?2, ?3, ?4 FROM version_messages WHERE version_id = ?1
        """, version, message.level, message.code, message.description)
    }
  }
}

/// The platforms in their column's form: raw values with commas between; empty for all.
func text(_ platforms: [Platform]) -> String {
  Set(platforms).sorted().map(\.rawValue).joined(separator: ",")
}

/// The platforms that `text(_:)` wrote.
func platforms(_ text: String) -> [Platform] {
  text.split(separator: ",").compactMap { Platform(rawValue: String($0)) }
}

extension Change {
  /// Moves a version by `events`, and writes an audit line for each.
  func move(
    version: VersionRecord, _ events: [VersionStateMachine.Event], reason: String? = nil
  ) throws(StoreFailure) {
    let subject = "\(version.assetPackIdentifier) \(version.number)"
    var before = version.state
    for next in try walk(VersionStateMachine(state: before), events, subject: subject) {
      try connection.run("UPDATE versions SET state = ?, changed = ? WHERE id = ?", next, now, version.id)
      try audit(
        "version.move", app: version.appID, subject: version.auditSubject, before: before.rawValue,
        after: next.rawValue, reason: reason)
      before = next
    }
  }
}
