import AssetPacks

extension PackStore {
  /// Makes versions of one or more packs live on a track: all of them in one transaction, or none.
  ///
  /// A version that is already live stays live, so a repeated call is harmless.
  /// - Parameter confirmedRemovals: identifiers that may disappear from a platform's manifest.
  /// - Throws: `reviewRequired`, `notFound`, `packArchived`, `versionNotComplete`, `noCompleteVersion`,
  ///   `versionWouldFall`, `stateNotAllowed`, `reviewInProgress`, `rolloutRunning`, `manifestWouldShrink`,
  ///   `manifestWouldBeEmpty`, `hostNotAllowed`,
  ///   `valueRefused` for an empty list or one that names a pack twice.
  package func release(
    app id: String, track: Track, packs: [ReleaseItem], confirmedRemovals: Set<String> = [], actor: Actor,
    reason: String? = nil
  ) throws(StoreFailure) -> ReleaseResult {
    try change(actor) { (change) throws(StoreFailure) in
      try release(change, app: id, track: track, packs: packs, confirmedRemovals: confirmedRemovals, reason: reason)
    }
  }

  /// The release inside the transaction of `change`, for real or for a preview.
  func release(
    _ change: Change, app id: String, track: Track, packs: [ReleaseItem], confirmedRemovals: Set<String>,
    reason: String? = nil
  ) throws(StoreFailure) -> ReleaseResult {
    let names = packs.map(\.assetPackIdentifier)
    guard !names.isEmpty, Set(names).count == names.count else {
      throw .valueRefused(field: "packs", value: names.joined(separator: ", "), expected: "packs, each named once")
    }
    let app = try change.connection.app(id)
    if track != .internal, app.reviewPolicy != .none { throw .reviewRequired(policy: app.reviewPolicy) }
    var released: [ReleaseResult.Pack] = []
    for item in packs {
      released.append(try release(change, app: app, track: track, item: item, reason: reason))
    }
    try publishManifests(change, app: app, track: track, removals: .confirmed(confirmedRemovals))
    try noteQuota(change, app: id)
    return ReleaseResult(
      track: track, packs: released, manifestURL: manifestURL(bundleID: app.bundleID, track: track))
  }

  private func release(
    _ change: Change, app: AppRecord, track: Track, item: ReleaseItem, reason: String?
  ) throws(StoreFailure) -> ReleaseResult.Pack {
    let connection = change.connection
    let pack = try connection.pack(app: app.id, identifier: item.assetPackIdentifier)
    if pack.archived { throw .packArchived(pack: pack.identifier) }
    let version = try connection.versionToRelease(pack: pack, number: item.number)
    if let live = try connection.liveRelease(pack: pack.id, track: track), live.versionID == version.id {
      return ReleaseResult.Pack(
        assetPackIdentifier: pack.identifier, versionID: version.id, number: version.number, state: live.state,
        previousNumber: live.number)
    }
    let previous = try makeWay(change, pack: pack, version: version, track: track)
    let state = try change.goLive(version: version, track: track, reason: reason)
    return ReleaseResult.Pack(
      assetPackIdentifier: pack.identifier, versionID: version.id, number: version.number, state: state,
      previousNumber: previous)
  }

  /// Refuses a version that may not replace what is live.
  func checkMayReplace(
    _ connection: CatalogConnection, pack: PackRecord, version: VersionRecord, track: Track
  ) throws(StoreFailure) {
    if pack.archived { throw .packArchived(pack: pack.identifier) }
    if version.collected != nil { throw .versionCollected(pack: pack.identifier, number: version.number) }
    if try connection.hasRunningRollout(pack: pack.id, track: track) {
      throw .rolloutRunning(pack: pack.identifier, track: track)
    }
    try connection.checkRise(pack: pack, number: version.number, track: track)
  }

  /// Frees the live slot of a track for a version.
  ///
  /// - Returns: the number that was live.
  /// - Throws: `packArchived`, `versionCollected`, `versionWouldFall`, `rolloutRunning`.
  func makeWay(
    _ change: Change, pack: PackRecord, version: VersionRecord, track: Track
  ) throws(StoreFailure) -> Int? {
    try checkMayReplace(change.connection, pack: pack, version: version, track: track)
    let live = try change.connection.liveRelease(pack: pack.id, track: track)
    if let live { try change.supersede(live, app: pack.appID, by: version.number) }
    return live?.number
  }

  /// The releases that a version gets when it is complete.
  func createReleases(_ change: Change, version: VersionRecord) throws(StoreFailure) {
    let connection = change.connection
    let app = try connection.app(version.appID)
    let live = try connection.liveRelease(pack: version.packID, track: .internal)
    let highest = try connection.highestLiveNumber(pack: version.packID, track: .internal) ?? 0
    if let live, highest < version.number { try change.supersede(live, app: app.id, by: version.number) }
    // Versions may be processed in another order than they were created: a lower one never takes the slot.
    try change.create(track: .internal, version: version, superseded: highest > version.number)
    try change.create(track: .beta, version: version)
    try change.create(track: .production, version: version)
    guard highest < version.number else { return }
    do throws(StoreFailure) {
      try publishManifests(change, app: app, track: .internal, removals: .automatic)
      let kept = try connection.scopesKeepingOthers(version, track: .internal)
      if kept.isEmpty { return }
      let text =
        "The version is no longer for \(kept.joined(separator: ", ")); the internal manifest there keeps the previous "
        + "version until a release to internal names the pack in confirmedRemovals."
      try connection.addMessages(
        [VersionMessage(.warning, code: "MANIFEST_KEPT", description: text)], version: version.id)
    } catch {
      guard case .hostNotAllowed = error else { throw error }
      // The bytes are fine; only the links are refused. The version goes live once the list or the base URL is
      // corrected.
      try connection.addMessages(
        [VersionMessage(.warning, code: "HOST_NOT_ALLOWED", description: error.sentence)], version: version.id)
    }
  }
}
