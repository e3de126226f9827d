import AssetPacks

extension PackStore {
  /// Removes a pack from all manifests and returns its bytes to the quota. Devices delete it at their next check.
  ///
  /// The states of its releases stay as they are, so that ``restorePack(_:actor:)`` brings back what was live. Uploads
  /// in progress fail. Archiving an archived pack changes nothing.
  /// - Parameter confirmedRemovals: must name the pack when a manifest lists it; this also allows a manifest that
  ///   lists no pack afterwards.
  /// - Throws: `notFound`, `archiveWouldRemove`, `hostNotAllowed`.
  package func archivePack(
    _ id: String, confirmedRemovals: Set<String> = [], actor: Actor, reason: String? = nil
  ) throws(StoreFailure) -> PackRecord {
    let (pack, uploads) = try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let pack = try connection.pack(id)
      if pack.archived { return (pack, [String]()) }
      let app = try connection.app(pack.appID)
      if !confirmedRemovals.contains(pack.identifier) {
        let (manifests, emptied) = try connection.manifests(listing: pack)
        guard manifests.isEmpty else {
          throw .archiveWouldRemove(pack: pack.identifier, manifests: manifests, emptied: emptied)
        }
      }
      let live = try connection.liveSlots(pack: id)
      let uploads = try failOpenVersions(change, pack: id)
      try connection.run("UPDATE packs SET archived = 1, archived_at = ? WHERE id = ?", change.now, id)
      for track in Track.allCases {
        try publishManifests(change, app: app, track: track, removals: .keeping(except: [pack.identifier]))
      }
      try change.audit(
        "pack.archive", app: app.id, subject: .pack(pack.id, identifier: pack.identifier), before: Self.text(live),
        after: "archived",
        reason: reason)
      try noteQuota(change, app: app.id)
      return (try connection.pack(id), uploads)
    }
    for upload in uploads { try? blobs.removeUpload(upload) }
    return pack
  }

  /// Restores an archived pack: exactly the versions that were live are live again, on the same tracks.
  ///
  /// - Throws: `archiveFinal` once bytes that were live have been collected, `quota` when the pack no longer fits,
  ///   `notFound`, `hostNotAllowed`.
  package func restorePack(_ id: String, actor: Actor, reason: String? = nil) throws(StoreFailure) -> PackRecord {
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let pack = try connection.pack(id)
      guard pack.archived else { return pack }
      let app = try connection.app(pack.appID)
      let live = try connection.liveSlots(pack: id)
      let gone = Set(live.filter(\.isCollected).map(\.number))
      guard gone.isEmpty else { throw .archiveFinal(pack: pack.identifier, versions: gone.sorted()) }
      try checkPackCount(connection, app: app.id)
      let size = Int64(Quota.usedBytes(ofPack: try connection.quotaVersions(pack: id)))
      try checkQuota(connection, app: app.id, adding: size)
      try connection.run("UPDATE packs SET archived = 0, archived_at = NULL WHERE id = ?", id)
      try connection.run("UPDATE versions SET collectable = NULL WHERE pack_id = ?", id)
      for track in Track.allCases {
        try publishManifests(change, app: app, track: track, removals: .keeping(except: []))
      }
      try change.audit(
        "pack.restore", app: app.id, subject: .pack(pack.id, identifier: pack.identifier), before: "archived",
        after: Self.text(live),
        reason: reason)
      try noteQuota(change, app: app.id)
      return try connection.pack(id)
    }
  }

  /// Fails the versions of a pack that have no bytes yet; the processor fails those in progress.
  ///
  /// - Returns: their uploads, whose files go once this is committed.
  private func failOpenVersions(_ change: Change, pack: String) throws(StoreFailure) -> [String] {
    let connection = change.connection
    let open = try connection.versions("v.pack_id = ?1 AND v.state = ?2", pack, VersionState.awaitingUpload)
    var uploads: [String] = []
    for (_, version) in open {
      if let upload = try connection.upload(version: version.id) { uploads.append(upload.id) }
      try change.fail(version: version.id, messages: [.archived])
    }
    return uploads
  }

  private static func text(_ live: [LiveSlot]) -> String {
    live.isEmpty ? "nothing live" : live.map { "\($0.track) \($0.number)" }.joined(separator: ", ")
  }
}

extension VersionMessage {
  /// Why a version fails when its pack was archived.
  static let archived = VersionMessage(
    .error, code: "PACK_ARCHIVED", description: "The pack was archived before the version was complete.")
}

/// A version in the live slot of a track, whether its pack is archived or not.
struct LiveSlot: Sendable {
  let track: String
  let number: Int
  let isCollected: Bool
}

extension CatalogConnection {
  /// What is live or, for an archived pack, was live, by track.
  func liveSlots(pack: String) throws(StoreFailure) -> [LiveSlot] {
    try rows(
      """
      SELECT r.track, v.number, v.collected IS NOT NULL FROM releases r JOIN versions v ON v.id = r.version_id
      WHERE r.pack_id = ? AND r.state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION') ORDER BY r.track DESC
      """, pack
    ) { LiveSlot(track: $0.text(0), number: $0.number(1), isCollected: $0.flag(2)) }
  }

  /// The manifests that list a pack, as `track platform`, and those of them that list no other.
  func manifests(listing pack: PackRecord) throws(StoreFailure) -> (all: [String], emptied: [String]) {
    var found: [(name: String, count: Int)] = []
    for track in Track.allCases.sorted(by: { $0.rawValue > $1.rawValue }) {
      let heads = try manifestHeads(app: pack.appID, track: track)
      for (key, head) in heads.sorted(by: { $0.key.text < $1.key.text }) where head.listing[pack.identifier] != nil {
        found.append(("\(track.rawValue) \(key.text)", head.listing.count))
      }
    }
    return (found.map(\.name), found.filter { $0.count == 1 }.map(\.name))
  }

  /// The platforms whose manifest on a track lists another version of the pack than this one.
  func scopesKeepingOthers(_ version: VersionRecord, track: Track) throws(StoreFailure) -> [String] {
    let heads = try manifestHeads(app: version.appID, track: track)
    return heads.filter { key, head in
      key.variant == .base && head.listing[version.assetPackIdentifier].map { $0 != version.number } == true
    }
    .map(\.key.text).sorted()
  }
}
