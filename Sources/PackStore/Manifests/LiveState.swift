import AssetPacks

/// All that delivery serves, as of one moment.
package struct LiveState: Sendable, Equatable {
  package struct App: Sendable, Equatable {
    /// A rollout on a track.
    package struct Rollout: Sendable, Equatable {
      package let track: Track
      /// 0…100.
      package let percent: Int
      package let salt: UInt64

      package init(track: Track, percent: Int, salt: UInt64) {
        self.track = track
        self.percent = percent
        self.salt = salt
      }
    }

    package let id: String
    package let bundleID: String
    package let domainAllowList: [String]
    /// A track and scope without a record was never published. Manifests of lanes and rollouts are included.
    package let manifests: [ManifestRecord]
    /// Every version that is or was live on a track and whose bytes exist, because devices keep manifests.
    package let versions: [Version]
    package var rollouts: [Rollout] = []
    /// Rises with each change of this state; not served itself. 0 when unknown.
    package var revision: Int64 = 0

    package static func == (a: App, b: App) -> Bool {
      a.id == b.id && a.bundleID == b.bundleID && a.domainAllowList == b.domainAllowList
        && a.manifests == b.manifests && a.versions == b.versions && a.rollouts == b.rollouts
    }
  }

  package struct Version: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let number: Int
    package let sha256: String
    /// The blob's length in bytes.
    package let size: Int64
    /// Seconds since 1970: when the version was made; its `Last-Modified`.
    package let created: Int64
    /// Whether it is live on any track now.
    package let isLive: Bool
    /// Its bytes are known to be damaged: they are refused until they are repaired.
    package var isDamaged = false
  }

  /// By bundle id.
  package let apps: [App]
}

extension PackStore {
  /// All that delivery serves, as of one moment.
  ///
  /// - Parameter previous: the state read before; apps that have not changed since are reused from it.
  package func liveState(after previous: LiveState? = nil) throws(StoreFailure) -> LiveState {
    let known = Dictionary((previous?.apps ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return try catalog.read { (connection) throws(StoreFailure) in
      let lines = try connection.rows(
        "SELECT a.id, s.revision FROM apps a JOIN served_revisions s ON s.app_id = a.id ORDER BY a.bundle_id"
      ) { ($0.text(0), $0.integer(1)) }
      var apps: [LiveState.App] = []
      for (id, revision) in lines {
        if let app = known[id], app.revision == revision {
          apps.append(app)
        } else {
          apps.append(try connection.liveApp(id, revision: revision))
        }
      }
      return LiveState(apps: apps)
    }
  }
}

extension CatalogConnection {
  /// What delivery serves of one app.
  func liveApp(_ id: String, revision: Int64 = 0) throws(StoreFailure) -> LiveState.App {
    let app = try app(id)
    let versions = try rows(
      """
      SELECT p.identifier, v.number, v.sha256, v.size, v.created, EXISTS (
        SELECT 1 FROM releases l
        WHERE p.archived = 0 AND l.version_id = v.id AND l.state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION')),
        v.sha256 IN (SELECT sha256 FROM damaged_blobs)
      FROM versions v JOIN packs p ON p.id = v.pack_id
      WHERE p.app_id = ? AND v.state = 'COMPLETE' AND v.collected IS NULL
      AND (EXISTS (SELECT 1 FROM releases r WHERE r.version_id = v.id AND r.went_live IS NOT NULL)
        OR EXISTS (SELECT 1 FROM lane_versions n WHERE n.version_id = v.id))
      ORDER BY p.identifier, v.number
      """, id
    ) { row in
      LiveState.Version(
        assetPackIdentifier: row.text(0), number: row.number(1), sha256: row.text(2), size: row.integer(3),
        created: row.integer(4), isLive: row.flag(5), isDamaged: row.flag(6))
    }
    return LiveState.App(
      id: app.id, bundleID: app.bundleID, domainAllowList: app.domainAllowList,
      manifests: try manifests(app: id), versions: versions,
      rollouts: try rollouts("o.app_id = ?1 AND o.state IN ('RUNNING', 'PAUSED') ORDER BY o.track", id)
        .map { LiveState.App.Rollout(track: $0.item.track, percent: $0.item.percent, salt: $0.item.salt) },
      revision: revision)
  }
}

extension CatalogConnection {
  /// Makes this connection record the apps for which devices get something else. Every change to a served table raises
  /// the app's `served_revisions`, whoever makes it.
  func noteChangedApps() throws(StoreFailure) {
    try script(
      """
      CREATE TEMP TABLE changed_apps (app_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      CREATE TEMP TRIGGER changed_app AFTER UPDATE ON main.served_revisions BEGIN
        INSERT INTO changed_apps SELECT NEW.app_id WHERE NEW.app_id NOT IN (SELECT app_id FROM changed_apps);
      END;
      CREATE TEMP TRIGGER changed_app_added AFTER INSERT ON main.served_revisions BEGIN
        INSERT INTO changed_apps SELECT NEW.app_id WHERE NEW.app_id NOT IN (SELECT app_id FROM changed_apps);
      END
      """, doing: "preparing to note changes")
  }

  /// The ids of the apps for which devices get something else once this transaction is committed.
  func takeChangedApps() throws(StoreFailure) -> [String] {
    let apps = try rows("SELECT app_id FROM changed_apps ORDER BY app_id") { $0.text(0) }
    if !apps.isEmpty { try run("DELETE FROM changed_apps") }
    return apps
  }
}
