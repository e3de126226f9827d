import AssetPacks

extension PackStore {
  /// A published manifest; nil when there never was one of that track and scope.
  package func manifest(app: String, track: Track, scope: ManifestScope) throws(StoreFailure) -> ManifestRecord? {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.manifests(app: app).first { $0.track == track && $0.scope == scope }
    }
  }

  /// What is live on each track of an app.
  package func tracks(app id: String) throws(StoreFailure) -> [TrackContents] {
    try catalog.read { (connection) throws(StoreFailure) in
      let app = try connection.app(id)
      var tracks: [TrackContents] = []
      for track in Track.allCases {
        let packs = try connection.liveEntries(app: id, track: track).map { entry in
          TrackContents.Pack(
            assetPackIdentifier: entry.identifier, versionID: entry.versionID, number: entry.number,
            state: entry.state, downloadSize: entry.size, sha256: entry.sha256,
            url: packURL(bundleID: app.bundleID, entry: entry))
        }
        tracks.append(
          TrackContents(
            track: track, manifestURL: manifestURL(bundleID: app.bundleID, track: track), packs: packs))
      }
      return tracks
    }
  }

  /// Whether the manifests were made for another public base URL than the one that the store was opened with.
  package func manifestsNeedRerender() throws(StoreFailure) -> Bool {
    try catalog.read { (connection) throws(StoreFailure) in
      guard let base = try connection.setting(Self.renderedBaseKey) else { return false }
      return base != Array(options.publicBaseURL.utf8)
    }
  }

  /// Makes all manifests again for the public base URL that the store was opened with, in one transaction.
  ///
  /// - Throws: `hostNotAllowed` when an app does not allow its host; then none is changed.
  package func rerenderManifests(actor: Actor = .daemon) throws(StoreFailure) {
    let apps = try change(actor) { (change) throws(StoreFailure) in
      let apps = try change.connection.rows("SELECT id FROM apps ORDER BY seq") { $0.text(0) }
      for id in apps {
        let app = try change.connection.app(id)
        for track in Track.allCases where try !change.connection.liveEntries(app: id, track: track).isEmpty {
          try publishManifests(change, app: app, track: track, confirmedRemovals: [])
        }
      }
      try change.connection.setSetting(Self.renderedBaseKey, Array(options.publicBaseURL.utf8))
      try change.audit("manifests.rerender", app: nil, subject: options.publicBaseURL)
      return apps
    }
    for app in apps { writePublication(app: app) }
  }

  /// Makes the manifests of a track from what is live on it, inside the transaction of `change`.
  ///
  /// - Parameter confirmedRemovals: identifiers that may disappear; nil for any.
  func publishManifests(
    _ change: Change, app: AppRecord, track: Track, confirmedRemovals: Set<String>?
  ) throws(StoreFailure) {
    let connection = change.connection
    try checkHost(app.domainAllowList, app: app.bundleID)
    let live = try connection.liveEntries(app: app.id, track: track)
    let old = try connection.manifests(app: app.id).filter { $0.track == track }
    for scope in ManifestScope.allScopes {
      let entries = live.filter { $0.isFor(scope) }
      let listed = try connection.listed(app: app.id, track: track, scope: scope)
      try check(entries, against: listed, track: track, scope: scope, confirmedRemovals: confirmedRemovals)
      // A platform that never had a pack gets no manifest: an empty one would wipe what devices have.
      if entries.isEmpty { continue }
      let bytes = try render(entries, app: app)
      let hash = sha256Text(bytes)
      let current = old.first { $0.scope == scope }
      if current?.sha256 == hash { continue }
      let record = ManifestRecord(
        track: track, scope: scope, generation: (current?.generation ?? 0) + 1, bytes: bytes, sha256: hash,
        published: change.now)
      try connection.store(record, app: app.id, entries: entries)
      try change.audit(
        "manifest.publish", app: app.id, subject: "\(track.rawValue) \(scope.name)",
        before: current.map { "\($0.generation) \($0.sha256)" }, after: "\(record.generation) \(hash)")
    }
    if try connection.setting(Self.renderedBaseKey) == nil {
      try connection.setSetting(Self.renderedBaseKey, Array(options.publicBaseURL.utf8))
    }
  }

  private static var renderedBaseKey: String { "manifests.publicBaseURL" }

  /// The guards against manifests that would make devices delete packs or ignore them.
  private func check(
    _ entries: [ManifestEntry], against listed: [String: Int], track: Track, scope: ManifestScope,
    confirmedRemovals: Set<String>?
  ) throws(StoreFailure) {
    if listed.isEmpty { return }
    if entries.isEmpty { throw .manifestWouldBeEmpty(track: track, platform: scope.name) }
    if let confirmedRemovals {
      let lost = Set(listed.keys).subtracting(entries.map(\.identifier)).subtracting(confirmedRemovals)
      guard lost.isEmpty else {
        throw .manifestWouldShrink(track: track, platform: scope.name, packs: lost.sorted())
      }
    }
    for entry in entries {
      if let live = listed[entry.identifier], live > entry.number {
        throw .versionWouldFall(pack: entry.identifier, track: track, live: live, requested: entry.number)
      }
    }
  }
}
