import AssetPacks

/// The result of a rollback.
package struct RollbackResult: Sendable, Equatable {
  package let track: Track
  package let assetPackIdentifier: String
  package let versionID: String
  /// The new number that the old bytes have now.
  package let number: Int
  /// The version whose bytes they are, as it was asked for.
  package let sourceNumber: Int
  /// What was live before.
  package let previousNumber: Int
  /// The release's state afterwards.
  package let state: String
  package let manifestURL: String
}

extension PackStore {
  /// Gives the bytes of an earlier version a new, higher number, and makes them live on a track, in one transaction.
  ///
  /// - Parameters:
  ///   - number: the version to go back to; nil is the one that was live before the bytes that are live now. Repeating
  ///     it goes back one more, never forward to what was rolled back.
  ///   - confirmedRemovals: identifiers that may disappear from a platform's manifest.
  /// - Throws: `notFound`, `packArchived`, `versionNotComplete`, `nothingLive`, `noEarlierVersion`, `sameBytesLive`,
  ///   `reviewRequired` for bytes that were never live on the track, `bytesGone`, `rolloutRunning`,
  ///   `manifestWouldShrink`, `manifestWouldBeEmpty`, `hostNotAllowed`.
  package func rollback(
    app id: String, track: Track, pack identifier: String, to number: Int? = nil, confirmedRemovals: Set<String> = [],
    actor: Actor, reason: String? = nil
  ) throws(StoreFailure) -> RollbackResult {
    // A first check: files are not touched inside a transaction.
    let (first, _) = try catalog.read { (connection) throws(StoreFailure) in
      try rollbackSource(connection, app: try connection.app(id), track: track, pack: identifier, number: number)
    }
    try checkBytes(first)
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let app = try connection.app(id)
      let (source, live) = try rollbackSource(connection, app: app, track: track, pack: identifier, number: number)
      // Somebody else released meanwhile; repeating the call checks again.
      guard source.sha256 == first.sha256 else { throw .catalogBusy(path: connection.path) }
      let why = reason ?? "rollback to version \(source.number)"
      let version = try change.copy(source, for: track)
      let state = try change.replace(live, by: version, track: track, reason: why)
      try change.audit(
        "rollback.create", app: id,
        subject: .pack(version.packID, identifier: identifier, on: track, number: version.number),
        before: "\(live.number)",
        after: "\(version.number)", reason: why)
      try publishManifests(change, app: app, track: track, removals: .confirmed(confirmedRemovals))
      // Never a reason to refuse a rollback: the bytes are already stored.
      try noteQuota(change, app: id)
      return RollbackResult(
        track: track, assetPackIdentifier: identifier, versionID: version.id, number: version.number,
        sourceNumber: source.number, previousNumber: live.number, state: state,
        manifestURL: manifestURL(bundleID: app.bundleID, track: track))
    }
  }

  /// Refuses when the file of a version's bytes is missing or changed.
  func checkBytes(_ version: VersionRecord) throws(StoreFailure) {
    guard let sha256 = version.sha256, let size = version.downloadSize, try blobs.size(ofBlob: sha256) == size else {
      throw .bytesGone(pack: version.assetPackIdentifier, number: version.number)
    }
  }

  /// The version whose bytes are wanted, and what is live.
  private func rollbackSource(
    _ connection: CatalogConnection, app: AppRecord, track: Track, pack identifier: String, number: Int?
  ) throws(StoreFailure) -> (VersionRecord, LiveRelease) {
    let pack = try connection.pack(app: app.id, identifier: identifier)
    if pack.archived { throw .packArchived(pack: identifier) }
    guard let live = try connection.liveRelease(pack: pack.id, track: track) else {
      throw .nothingLive(pack: identifier, track: track)
    }
    if let rollout = try connection.runningRollout(app: app.id, track: track),
      rollout.packs.contains(where: { $0.packID == pack.id })
    {
      throw .rolloutRunning(pack: identifier, track: track)
    }
    let source: VersionRecord
    if let number {
      source = try connection.versionToRelease(pack: pack, number: number)
    } else {
      source = try connection.versionBefore(live, pack: pack.id)
    }
    if source.collected != nil { throw .versionCollected(pack: identifier, number: source.number) }
    let present = try connection.version(live.versionID)
    if source.sha256 == present.sha256 {
      throw .sameBytesLive(pack: identifier, track: track, live: live.number, requested: source.number)
    }
    try checkApproved(connection, app: app, track: track, version: source)
    return (source, live)
  }
}

extension CatalogConnection {
  /// The last version that was live on the track before the bytes that are live now were uploaded.
  func versionBefore(_ live: LiveRelease, pack: String) throws(StoreFailure) -> VersionRecord {
    let origin = try version(try source(of: live.versionID))
    let found = try versions(
      """
      v.pack_id = ?1 AND v.state = 'COMPLETE' AND v.number < ?2 AND v.sha256 <> ?3 AND EXISTS (
        SELECT 1 FROM releases r WHERE r.version_id = v.id AND r.track = ?4 AND r.went_live IS NOT NULL)
      ORDER BY v.number DESC LIMIT 1
      """, pack, origin.number, origin.sha256, live.track
    ).first?.item
    guard let found else { throw .noEarlierVersion(pack: live.pack, track: live.track, live: live.number) }
    return found
  }
}
