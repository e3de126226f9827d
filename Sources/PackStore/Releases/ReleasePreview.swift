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
    /// The code of the refusal, or a name of its own.
    package let code: String
    package let description: String
    /// Whether the release would be refused because of it.
    package let refuses: Bool
  }

  package let track: Track
  package let packs: [Pack]
  /// Every scope that has a manifest before or afterwards.
  package let devices: [Device]
  package let warnings: [Warning]

  package var wouldBeRefused: Bool { warnings.contains(where: \.refuses) }
}

extension PackStore {
  /// What a release of these packs would cost the devices of each platform. Nothing changes.
  ///
  /// What the release would be refused for is among the warnings; only names that are not there are thrown.
  /// - Throws: `notFound`, `noCompleteVersion`, `versionNotComplete`, `versionCollected`, `valueRefused`.
  package func previewRelease(
    app id: String, track: Track, packs: [ReleaseItem], confirmedRemovals: Set<String> = [],
    allowances: DownloadAllowances = DownloadAllowances()
  ) throws(StoreFailure) -> ReleasePreview {
    let names = packs.map(\.assetPackIdentifier)
    guard !names.isEmpty, Set(names).count == names.count else {
      throw .valueRefused(field: "packs", value: names.joined(separator: ", "), expected: "packs, each named once")
    }
    return try catalog.read { (connection) throws(StoreFailure) in
      let app = try connection.app(id)
      var preview = PreviewOfRelease(track: track, quota: try quota(connection, app: id))
      if track != .internal, app.reviewPolicy != .none {
        preview.warn("REVIEW_REQUIRED", StoreFailure.reviewRequired(policy: app.reviewPolicy).sentence, refuses: true)
      }
      var live: [String: VersionRecord] = [:]
      for entry in try connection.liveEntries(app: id, track: track) {
        live[entry.identifier] = try connection.version(entry.versionID)
      }
      for item in packs {
        let pack = try connection.pack(app: id, identifier: item.assetPackIdentifier)
        if pack.archived {
          preview.warn("PACK_ARCHIVED", StoreFailure.packArchived(pack: pack.identifier).sentence, refuses: true)
        }
        let version = try connection.versionToRelease(pack: pack, number: item.number)
        let highest = try connection.highestLiveNumber(pack: pack.id, track: track) ?? 0
        if highest > version.number {
          let failure = StoreFailure.versionWouldFall(
            pack: pack.identifier, track: track, live: highest, requested: version.number)
          preview.warn("VERSION_WOULD_FALL", failure.sentence, refuses: true)
        }
        try preview.add(version, previous: live[pack.identifier]?.number)
        live[pack.identifier] = version
      }
      let heads = try connection.manifestHeads(app: id, track: track)
      for scope in ManifestScope.allScopes {
        var before: [ReleaseCost.Pack] = []
        for entry in try connection.entries(
          app: id, track: track,
          listing: heads[ManifestKey(variant: .base, scope: scope)]?.listing ?? [:])
        {
          before.append(try connection.version(entry.versionID).costPack())
        }
        var after: [ReleaseCost.Pack] = []
        for version in live.values where version.isFor(scope) { after.append(try version.costPack()) }
        preview.add(
          scope, ReleaseCost(before: before, after: after), confirmedRemovals: confirmedRemovals,
          allowances: allowances)
      }
      return preview.finished
    }
  }
}

/// A preview while it is made.
private struct PreviewOfRelease {
  let track: Track
  let quota: Quota
  private var packs: [ReleasePreview.Pack] = []
  private var devices: [ReleasePreview.Device] = []
  private var warnings: [ReleasePreview.Warning] = []

  init(track: Track, quota: Quota) {
    self.track = track
    self.quota = quota
  }

  var finished: ReleasePreview {
    ReleasePreview(track: track, packs: packs, devices: devices, warnings: warnings)
  }

  mutating func warn(_ code: String, _ description: String, refuses: Bool = false) {
    let warning = ReleasePreview.Warning(code: code, description: description, refuses: refuses)
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  mutating func add(_ version: VersionRecord, previous: Int?) throws(StoreFailure) {
    let pack = try version.costPack()
    packs.append(
      ReleasePreview.Pack(
        assetPackIdentifier: pack.id, number: pack.version, previousNumber: previous, downloadSize: pack.downloadSize,
        installSize: pack.installSize, policy: pack.policy.name))
  }

  mutating func add(
    _ scope: ManifestScope, _ cost: ReleaseCost, confirmedRemovals: Set<String>, allowances: DownloadAllowances
  ) {
    if cost == ReleaseCost(before: [], after: []) { return }
    let count = cost.total.essential.packs + cost.total.prefetch.packs + cost.total.onDemand.packs
    if count == 0 {
      warn(
        "MANIFEST_WOULD_BE_EMPTY", StoreFailure.manifestWouldBeEmpty(track: track, platform: scope.name).sentence,
        refuses: true)
    } else if !cost.disappearing.isEmpty {
      let unconfirmed = cost.disappearing.filter { !confirmedRemovals.contains($0) }
      let failure = StoreFailure.manifestWouldShrink(track: track, platform: scope.name, packs: cost.disappearing)
      warn("MANIFEST_WOULD_SHRINK", failure.sentence, refuses: !unconfirmed.isEmpty)
    }
    for pack in cost.changesPolicy {
      warn("POLICY_CHANGES", "\(pack) gets another download policy on \(scope.name); look at the allowances.")
    }
    let checks = allowances.checks(cost.total)
    for check in checks where !check.fits {
      warn(
        "ALLOWANCE_EXCEEDED",
        "\(check.key.rawValue) allows \(check.allowed) bytes, and the packs for \(scope.name) need \(check.needed). "
          + "Devices refuse downloads beyond it; ship an app with a larger number first.")
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
  /// Whether a manifest of that scope lists it once it is live.
  func isFor(_ scope: ManifestScope) -> Bool {
    switch scope {
    case .all: true
    case .platform(let platform): platforms.isEmpty || platforms.contains(platform)
    }
  }

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
