import AssetPacks
import Digests

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

  /// Whether any manifest was made for another public base URL than the one that the store was opened with.
  package func manifestsNeedRerender() throws(StoreFailure) -> Bool {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.first(
        "SELECT 1 FROM manifests WHERE base_url <> ? LIMIT 1", baseURL.text
      ) { _ in true } ?? false
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
          try publishManifests(
            change, app: app, track: track, removals: track == .internal ? .automatic : .confirmed([]))
        }
      }
      try change.audit("manifests.rerender", app: nil, subject: baseURL.text)
      return apps
    }
    for app in apps { writePublication(app: app) }
  }

  /// Makes the manifests of a track from what is live on it, inside the transaction of `change`.
  ///
  /// - Returns: the scopes that keep a pack which is not live for them any more; only with `keeping`.
  @discardableResult
  func publishManifests(
    _ change: Change, app: AppRecord, track: Track, removals: Removals
  ) throws(StoreFailure) -> [ManifestScope] {
    let connection = change.connection
    let domains = try checked("domainAllowList", try DomainAllowList(app.domainAllowList))
    try checkHost(domains, app: app.bundleID)
    let live = try connection.liveEntries(app: app.id, track: track)
    let published = try connection.manifestHeads(app: app.id, track: track)
    var renderer = ManifestRenderer(app: app.bundleID, baseURL: baseURL, count: options.renders)
    var kept: [ManifestScope] = []
    for scope in ManifestScope.allScopes {
      var entries = live.filter { $0.isFor(scope) }
      let current = published[scope]
      let isListed = current?.listing.isEmpty == false
      // A platform that never had a pack gets no manifest: an empty one would wipe what devices have.
      if entries.isEmpty, !isListed { continue }
      // What a version says of itself never changes, so the same numbers make the same bytes.
      if let current, current.listing == entries.numbers, current.baseURL == baseURL.text { continue }
      let listed = try connection.listedEntries(app: app.id, track: track, scope: scope)
      if case .keeping(let named) = removals {
        let present = Set(entries.map(\.identifier)).union(named)
        let missing = listed.filter { !present.contains($0.identifier) }
        entries += missing
        if !missing.isEmpty {
          kept.append(scope)
          if let current, current.listing == entries.numbers, current.baseURL == baseURL.text { continue }
        }
      }
      let manifest = try renderer.manifest(entries)
      let old = try renderer.manifest(listed)
      try removals.check(ManifestChange(from: old, to: manifest), track: track, scope: scope)
      try publish(change, app: app, track: track, scope: scope, renderer.render(manifest), entries, over: current)
    }
    try publishVariants(change, app: app, track: track, live: live, removals: removals, &renderer)
    return kept
  }

  private func publish(
    _ change: Change, app: AppRecord, track: Track, scope: ManifestScope, _ bytes: [UInt8],
    _ entries: [ManifestEntry], over current: ManifestHead?
  ) throws(StoreFailure) {
    let hash = Digest.sha256Text(bytes)
    if let current, current.sha256 == hash, current.baseURL == baseURL.text { return }
    let record = ManifestRecord(
      track: track, scope: scope, generation: (current?.generation ?? 0) + 1, bytes: bytes, sha256: hash,
      published: change.now)
    try change.connection.store(record, app: app.id, baseURL: baseURL.text, entries: entries)
    try change.audit(
      "manifest.publish", app: app.id, subject: "\(track.rawValue) \(scope.name)",
      before: current.map { "\($0.generation) \($0.sha256)" }, after: "\(record.generation) \(hash)")
  }
}
