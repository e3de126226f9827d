import AssetPacks
import Digests

extension PackStore {
  /// Makes the manifests of a track from what is live on it, inside the transaction of `change`: its own, those of its
  /// lanes and those of its rollout, for each platform. There are at most ``laneLimit`` lanes and one rollout.
  ///
  /// - Throws: `manifestWouldBeEmpty`, `manifestWouldShrink`, `versionWouldFall`, `bytesWouldChange`, `hostNotAllowed`.
  func publishManifests(
    _ change: Change, app: AppRecord, track: Track, removals: Removals
  ) throws(StoreFailure) {
    try checkHost(try checked("domainAllowList", try DomainAllowList(app.domainAllowList)), app: app.bundleID)
    let composition = try TrackComposition(change.connection, app: app.id, track: track)
    var published = try change.connection.manifestHeads(app: app.id, track: track)
    var publishing = ManifestPublishing(
      change: change, app: app, track: track, baseURL: baseURL, removals: removals,
      renderer: ManifestRenderer(app: app.bundleID, baseURL: baseURL, count: options.renders))
    for lane in composition.lanes {
      let isNewLane = lane != nil && !published.keys.contains { $0.variant.lane == lane }
      for scope in ManifestScope.allScopes {
        let key = ManifestKey(variant: ManifestVariant(lane: lane, side: .current), scope: scope)
        let current = composition.entries(key)
        let known = published.removeValue(forKey: key)
        // A new lane starts from what the track has; its numbers may be lower, which is its purpose.
        let before = isNewLane ? composition.live.filter { $0.isFor(scope) } : []
        try publishing.publish(key, current, over: known, else: before, mayFall: isNewLane)
        guard composition.hasRollout else { continue }
        let reached = ManifestKey(variant: ManifestVariant(lane: lane, side: .new), scope: scope)
        let new = composition.entries(reached)
        // Clients that the rollout has reached get the same as all others: one manifest is enough.
        if new.numbers == current.numbers { continue }
        try publishing.publish(reached, new, over: published.removeValue(forKey: reached), else: current)
      }
    }
    // The remaining ones belong to a rollout that has ended, or equal the manifest for all others.
    for key in published.keys { try change.connection.removeManifest(key, app: app.id, track: track) }
  }
}

/// The manifests of one track while they are rendered.
private struct ManifestPublishing {
  let change: Change
  let app: AppRecord
  let track: Track
  let baseURL: PublicBaseURL
  let removals: Removals
  var renderer: ManifestRenderer

  /// Publishes one manifest unless it is unchanged, after the guards have checked what it changes.
  ///
  /// - Parameters:
  ///   - known: what is published under the key.
  ///   - before: what its clients get now when nothing is published.
  ///   - mayFall: whether its version numbers may be lower than that.
  mutating func publish(
    _ key: ManifestKey, _ wanted: [ManifestEntry], over known: ManifestHead?, else before: [ManifestEntry],
    mayFall: Bool = false
  ) throws(StoreFailure) {
    // What a version says of itself never changes, so the same numbers make the same bytes.
    if let known, known.says(wanted, baseURL) { return }
    let old =
      if let known { try change.connection.entries(app: app.id, track: track, listing: known.listing) } else { before }
    var entries = wanted
    if case .keeping(let named) = removals, known != nil {
      let present = Set(entries.map(\.identifier)).union(named)
      entries += old.filter { !present.contains($0.identifier) }
      if let known, known.says(entries, baseURL) { return }
    }
    // A platform that never had a pack gets no manifest: an empty one would wipe what devices have.
    if entries.isEmpty, known == nil, old.isEmpty || removals.keepsOthers { return }
    let manifest = try renderer.manifest(entries)
    let difference = ManifestChange(from: try renderer.manifest(old), to: manifest)
    try removals.check(difference, track: track, place: key.text, mayFall: mayFall)
    let bytes = renderer.render(manifest)
    let record = ManifestRecord(
      track: track, scope: key.scope, generation: (known?.generation ?? 0) + 1, bytes: bytes,
      sha256: Digest.sha256Text(bytes), published: change.now, variant: key.variant)
    try change.connection.store(record, app: app.id, baseURL: baseURL.text, listing: entries.numbers)
    try change.audit(
      "manifest.publish", app: app.id, subject: .manifest(key.text, track: track),
      before: known.map { "\($0.generation) \($0.sha256)" }, after: "\(record.generation) \(record.sha256)")
  }
}
