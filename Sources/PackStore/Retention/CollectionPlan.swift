import AssetPacks

/// Which versions are past retention, as of one moment.
struct CollectionPlan: Sendable {
  struct Candidate: Sendable {
    let id: String
    let appID: String
    let bundleID: String
    let packID: String
    let pack: String
    let number: Int
    let sha256: String
    let size: Int64
    /// When its bytes may go, seconds since 1970.
    let due: Int64
    let isMarked: Bool
    let isDue: Bool

    var record: CollectionReport.Version {
      CollectionReport.Version(bundleID: bundleID, assetPackIdentifier: pack, number: number, size: size, due: due)
    }
  }

  /// Of all apps, by app, pack and number.
  var candidates: [Candidate] = []
  /// The ids of versions that were marked and are needed again.
  var spared: [String] = []
  /// How many versions with bytes have each hash.
  var holders: [String: Int] = [:]

  func candidates(app: String?) -> [Candidate] { candidates.filter { app == nil || $0.appID == app } }

  /// The bytes of the blobs that nothing needs once the candidates of an app, or (nil) of all, are gone.
  func bytes(app: String?, onlyDue: Bool) -> Int64 {
    blobs(app: app, onlyDue: onlyDue).reduce(0) { sum, blob in
      let (result, overflow) = sum.addingReportingOverflow(blob.value)
      return overflow ? .max : result
    }
  }

  /// Those blobs, with their sizes.
  func blobs(app: String?, onlyDue: Bool) -> [String: Int64] {
    var left = holders
    var sizes: [String: Int64] = [:]
    for candidate in candidates(app: app) where candidate.isDue || !onlyDue {
      left[candidate.sha256, default: 1] -= 1
      sizes[candidate.sha256] = candidate.size
    }
    return sizes.filter { left[$0.key] == 0 }
  }
}

extension PackStore {
  /// A version by its app, pack and number, as the published copies name it.
  struct PublishedVersion: Hashable, Sendable {
    let bundleID: String
    let pack: String
    let number: Int
  }

  /// The versions that the manifests in `published/` list: what devices get when the catalog cannot be read.
  func publishedVersions() -> Set<PublishedVersion> {
    var found: Set<PublishedVersion> = []
    // Copies that cannot be read are not served.
    for app in (try? PublishedFallback.load(stateFolder: options.folder))?.apps ?? [] {
      for manifest in app.manifests {
        let root = try? storedJSON(String(decoding: manifest.bytes, as: UTF8.self), column: "published")
        for entry in root?["assetPacks"]?.array ?? [] {
          guard let pack = entry["id"]?.string, let number = entry["version"]?.int else { continue }
          found.insert(PublishedVersion(bundleID: app.bundleID, pack: pack, number: number))
        }
      }
    }
    return found
  }

  /// What retention no longer keeps at `now`. Versions in `published` are still needed.
  func collectionPlan(
    _ connection: CatalogConnection, published: Set<PublishedVersion>, now: Int64
  ) throws(StoreFailure) -> CollectionPlan {
    var plan = CollectionPlan()
    var pack: [CollectionRow] = []
    for row in try connection.collectionRows() {
      plan.holders[row.sha256, default: 0] += 1
      if let first = pack.first, first.packID != row.packID {
        add(pack, to: &plan, published: published, now: now)
        pack = []
      }
      pack.append(row)
    }
    add(pack, to: &plan, published: published, now: now)
    return plan
  }

  private func add(
    _ rows: [CollectionRow], to plan: inout CollectionPlan, published: Set<PublishedVersion>, now: Int64
  ) {
    guard let first = rows.first else { return }
    let versions = rows.map { row in
      let isPublished = published.contains(
        PublishedVersion(bundleID: row.bundleID, pack: row.pack, number: row.version.number))
      var version = row.version
      version.isNeeded = version.isNeeded || isPublished
      return version
    }
    let expired = options.retention.expired(versions, archived: first.archived, now: now)
    let due = Dictionary(expired.map { ($0.number, $0.due) }, uniquingKeysWith: { $1 })
    for row in rows {
      guard let time = due[row.version.number] else {
        if row.version.marked != nil { plan.spared.append(row.id) }
        continue
      }
      plan.candidates.append(
        CollectionPlan.Candidate(
          id: row.id, appID: row.appID, bundleID: row.bundleID, packID: row.packID, pack: row.pack,
          number: row.version.number,
          sha256: row.sha256, size: row.size, due: time, isMarked: row.version.marked != nil, isDue: time <= now))
    }
  }
}

/// A complete version whose bytes exist, with what retention needs to know.
struct CollectionRow: Sendable {
  let id: String
  let appID: String
  let bundleID: String
  let packID: String
  let pack: String
  let archived: Int64?
  let sha256: String
  let size: Int64
  let version: Retention.Version
}

extension CatalogConnection {
  /// All complete versions whose bytes exist, pack by pack. Versions in an open review are needed, also in a draft.
  ///
  /// Nothing of an archived pack is live, whatever its releases say: only a manifest keeps its versions.
  func collectionRows() throws(StoreFailure) -> [CollectionRow] {
    try rows(
      """
      SELECT v.id, a.id, a.bundle_id, p.id, p.identifier,
        CASE WHEN p.archived = 1 THEN coalesce(p.archived_at, v.changed) END, v.sha256, v.size, v.number,
        CASE WHEN p.archived = 1 THEN v.id IN (SELECT version_id FROM listed_versions)
        ELSE v.id IN (SELECT version_id FROM needed_versions)
          OR v.id IN (SELECT version_id FROM review_items WHERE state IN ('READY_FOR_REVIEW', 'ACCEPTED', 'REJECTED'))
        END,
        max(v.changed, coalesce((SELECT max(r.changed) FROM releases r WHERE r.version_id = v.id), 0)), v.collectable
      FROM versions v JOIN packs p ON p.id = v.pack_id JOIN apps a ON a.id = p.app_id
      WHERE v.state = 'COMPLETE' AND v.collected IS NULL ORDER BY a.bundle_id, p.identifier, v.number
      """
    ) { row in
      CollectionRow(
        id: row.text(0), appID: row.text(1), bundleID: row.text(2), packID: row.text(3), pack: row.text(4),
        archived: row.optionalInteger(5), sha256: row.text(6), size: row.integer(7),
        version: Retention.Version(
          number: row.number(8), isNeeded: row.flag(9), changed: row.integer(10), marked: row.optionalInteger(11)))
    }
  }
}
