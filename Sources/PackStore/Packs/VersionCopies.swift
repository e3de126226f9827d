import AssetPacks

extension Change {
  /// A new version with the bytes of `source`, complete at once, with a release in the first state on each track. It
  /// goes live on the internal track only when meant for it: testers keep the newest upload.
  func copy(_ source: VersionRecord, for track: Track) throws(StoreFailure) -> VersionRecord {
    let owner = try connection.pack(source.packID)
    // A collection may have begun since the file was checked.
    let isThere = try connection.first(
      "SELECT 1 FROM blobs WHERE sha256 = ? AND collecting IS NULL AND collected IS NULL", source.sha256
    ) { _ in true }
    guard isThere != nil else { throw .bytesGone(pack: source.assetPackIdentifier, number: source.number) }
    let id = try newID()
    let number = owner.lastVersion + 1
    try connection.run("UPDATE packs SET last_version = ? WHERE id = ?", number, owner.id)
    try connection.run(
      """
      INSERT INTO versions
        (id, pack_id, number, state, created, changed, sha256, size, install_size, platforms, language, policy,
          user_info)
      SELECT ?, pack_id, ?, ?, ?, ?, sha256, size, install_size, platforms, language, policy, user_info
      FROM versions WHERE id = ?
      """, id, number, VersionStateMachine.creation, now, now, source.id)
    try connection.run("INSERT INTO version_copies VALUES (?, ?)", id, connection.source(of: source.id))
    let reason = "the bytes of version \(source.number)"
    try audit(
      "version.create", app: owner.appID,
      subject: .version(pack: owner.id, identifier: owner.identifier, number: number), reason: reason)
    try move(version: try connection.version(id), [.commit, .complete], reason: reason)
    let version = try connection.version(id)
    if track != .internal { try create(track: .internal, version: version, superseded: true) }
    try create(track: .beta, version: version)
    try create(track: .production, version: version)
    return try connection.version(id)
  }

  /// Puts a copy into the live slot of a track.
  ///
  /// - Returns: the release's state.
  func replace(
    _ live: LiveRelease, by version: VersionRecord, track: Track, reason: String
  ) throws(StoreFailure) -> String {
    try supersede(live, app: version.appID, by: version.number)
    guard track == .internal else { return try goLive(version: version, track: track, reason: reason) }
    try create(track: .internal, version: version)
    return InternalBetaStateMachine.creation.rawValue
  }
}

extension CatalogConnection {
  /// The version that the bytes of this one were uploaded for; itself when it is not a copy.
  func source(of version: String) throws(StoreFailure) -> String {
    try first("SELECT source_id FROM version_copies WHERE version_id = ?", version) { $0.text(0) }
      ?? version
  }
}
