import AssetPacks

/// What a release would do, without doing it.
package struct ReleasePreview: Sendable {
  package struct Pack: Sendable, Equatable {
    package let assetPackIdentifier: String
    package let number: Int
    /// What is live on the track now; nil when nothing is.
    package let previousNumber: Int?
    package let downloadSize: Int64
    package let installSize: Int64
    /// `essential`, `prefetch` or `onDemand`.
    package let policy: String
  }

  package struct Device: Sendable {
    package let scope: ManifestScope
    package let cost: ReleaseCost
    package let checks: [DownloadAllowances.Check]
  }

  /// Something to know before the release.
  package struct Warning: Sendable, Equatable {
    /// A name of its own, or the code of what a confirmation allows.
    package let code: String
    package let description: String
  }

  package let track: Track
  package let packs: [Pack]
  /// Every scope that has a manifest before or afterwards.
  package let devices: [Device]
  package let warnings: [Warning]
  /// Why the release is refused, when it is.
  package let refusal: Refusal?
}

extension PackStore {
  /// What a release of these packs would cost the devices of each platform, and whether it is refused: the release
  /// itself is made and rolled back. Nothing changes.
  ///
  /// - Throws: `notFound`, `noCompleteVersion`, `versionNotComplete`, `versionCollected`, `valueRefused`: for packs or
  ///   versions that cannot be released at all.
  package func previewRelease(
    app id: String, track: Track, packs: [ReleaseItem], confirmedRemovals: Set<String> = [],
    allowances: DownloadAllowances = DownloadAllowances()
  ) throws(StoreFailure) -> ReleasePreview {
    try rehearse { (change) throws(StoreFailure) in
      let connection = change.connection
      var preview = PreviewOfRelease(track: track, quota: try quota(connection, app: id))
      let heads = try connection.manifestHeads(app: id, track: track)
      var wanted = Dictionary(
        try connection.liveEntries(app: id, track: track).map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      for item in packs {
        let pack = try connection.pack(app: id, identifier: item.assetPackIdentifier)
        let version = try connection.versionToRelease(pack: pack, number: item.number)
        try preview.add(version, previous: wanted[pack.identifier]?.number)
        let listing = [pack.identifier: version.number]
        wanted[pack.identifier] = try connection.entries(app: id, track: track, listing: listing).first
      }
      preview.refusal = try refusalOfRelease(
        change, app: id, track: track, packs: packs, confirmedRemovals: confirmedRemovals)
      let after = preview.refusal == nil ? try connection.manifestHeads(app: id, track: track) : nil
      for scope in ManifestScope.allScopes {
        let key = ManifestKey(variant: .base, scope: scope)
        let old = try connection.entries(app: id, track: track, listing: heads[key]?.listing ?? [:])
        // A refused release renders no manifests: then the preview computes what they would list.
        let new =
          try after.map { (after) throws(StoreFailure) in
            try connection.entries(app: id, track: track, listing: after[key]?.listing ?? [:])
          } ?? wanted.values.filter { $0.isFor(scope) }
        let cost = ReleaseCost(before: try connection.costs(old), after: try connection.costs(new))
        preview.add(scope, cost, allowances: allowances)
      }
      return preview.finished
    }
  }

  /// Makes the release in the transaction of `change`.
  ///
  /// - Returns: why it is refused; nil when it is not.
  /// - Throws: failures of the machine, not of the release.
  private func refusalOfRelease(
    _ change: Change, app: String, track: Track, packs: [ReleaseItem], confirmedRemovals: Set<String>
  ) throws(StoreFailure) -> Refusal? {
    do throws(StoreFailure) {
      _ = try release(change, app: app, track: track, packs: packs, confirmedRemovals: confirmedRemovals)
      return nil
    } catch {
      let refusal = error.refusal
      if refusal.code == .internalFailure || refusal.code == .diskFull || refusal.code == .valueInvalid { throw error }
      return refusal
    }
  }
}

extension CatalogConnection {
  fileprivate func costs(_ entries: [ManifestEntry]) throws(StoreFailure) -> [ReleaseCost.Pack] {
    var costs: [ReleaseCost.Pack] = []
    for entry in entries { costs.append(try version(entry.versionID).costPack()) }
    return costs
  }
}

/// A preview under construction.
private struct PreviewOfRelease {
  let track: Track
  let quota: Quota
  private var packs: [ReleasePreview.Pack] = []
  private var devices: [ReleasePreview.Device] = []
  private var warnings: [ReleasePreview.Warning] = []
  var refusal: Refusal?

  init(track: Track, quota: Quota) {
    self.track = track
    self.quota = quota
  }

  var finished: ReleasePreview {
    ReleasePreview(track: track, packs: packs, devices: devices, warnings: warnings, refusal: refusal)
  }

  mutating func warn(_ code: String, _ description: String) {
    let warning = ReleasePreview.Warning(code: code, description: description)
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  mutating func add(_ version: VersionRecord, previous: Int?) throws(StoreFailure) {
    let pack = try version.costPack()
    packs.append(
      ReleasePreview.Pack(
        assetPackIdentifier: pack.id, number: pack.version, previousNumber: previous, downloadSize: pack.downloadSize,
        installSize: pack.installSize, policy: pack.policy.name))
  }

  mutating func add(_ scope: ManifestScope, _ cost: ReleaseCost, allowances: DownloadAllowances) {
    if cost == ReleaseCost(before: [], after: []) { return }
    if !cost.disappearing.isEmpty, refusal == nil {
      let removal = StoreFailure.manifestWouldShrink(track: track, platform: scope.name, packs: cost.disappearing)
      warn(removal.refusal.code.rawValue, removal.sentence)
    }
    for pack in cost.changesPolicy {
      warn("POLICY_CHANGES", "The download policy of \(pack) changes on \(scope.name); check the allowances.")
    }
    let checks = allowances.checks(cost.total)
    for check in checks where !check.fits {
      warn(
        "ALLOWANCE_EXCEEDED",
        "\(check.key.rawValue) allows \(check.allowed) bytes, and the packs for \(scope.name) need \(check.needed). "
          + "Devices refuse downloads beyond it; first ship an app that allows more.")
    }
    checkPreset(scope, cost)
    devices.append(ReleasePreview.Device(scope: scope, cost: cost, checks: checks))
  }

  /// On-Demand Resources' limits of what comes with an installation, for apps that keep to one of these presets.
  private mutating func checkPreset(_ scope: ManifestScope, _ cost: ReleaseCost) {
    let initial = cost.firstInstallation.essential.downloadBytes
    let prefetched = initial + cost.firstInstallation.prefetch.downloadBytes
    for (bytes, limit, what) in [
      (initial, quota.preset.maximumInitialBytes, "essential packs"),
      (prefetched, quota.preset.maximumPrefetchedBytes, "essential and prefetched packs"),
    ] {
      guard let limit, bytes > limit else { continue }
      warn(
        "PRESET_EXCEEDED",
        "The \(what) for \(scope.name) have \(bytes) bytes; the preset \(quota.preset.rawValue) allows \(limit).")
    }
  }
}

extension VersionRecord {
  /// What a complete version costs.
  func costPack() throws(StoreFailure) -> ReleaseCost.Pack {
    let text = policy ?? ""
    guard let policy = PackDownloadPolicy(json: try storedJSON(text, column: "versions.policy")) else {
      throw .valueUnknown(column: "versions.policy", value: text)
    }
    return ReleaseCost.Pack(
      id: assetPackIdentifier, version: number, downloadSize: downloadSize ?? 0, installSize: installSize ?? 0,
      policy: policy)
  }
}
