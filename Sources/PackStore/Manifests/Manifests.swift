import AssetPacks

extension PackStore {
  /// A published manifest; nil when that track and scope never had one.
  package func manifest(app: String, track: Track, scope: ManifestScope) throws(StoreFailure) -> ManifestRecord? {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.manifests(app: app).first { $0.track == track && $0.scope == scope && $0.variant == .base }
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
        "SELECT 1 FROM served_manifests WHERE base_url <> ? LIMIT 1", baseURL.text
      ) { _ in true } ?? false
    }
  }

  /// Renders all manifests again for the public base URL that the store was opened with, in one transaction.
  ///
  /// - Throws: `hostNotAllowed` when an app does not allow its host; then nothing changes.
  package func rerenderManifests(actor: Actor = .daemon) throws(StoreFailure) {
    try change(actor) { (change) throws(StoreFailure) in
      let apps = try change.connection.rows("SELECT id FROM apps ORDER BY seq") { $0.text(0) }
      for id in apps {
        let app = try change.connection.app(id)
        for track in Track.allCases { try publishManifests(change, app: app, track: track, removals: .automatic) }
      }
      try change.audit("manifests.rerender", app: nil, subject: .text(baseURL.text))
    }
  }
}
