extension AssetPackManager {
  /// What `sync` did.
  public struct SyncOutcome: Sendable {
    /// In the order in which they were asked for.
    public internal(set) var downloaded: [String] = []
    /// Asked for by the policies, and here already.
    public internal(set) var upToDate: [String] = []
    /// Not in the manifest any more, and so deleted.
    public internal(set) var removed: [String] = []
    public internal(set) var failures: [(id: String, error: ManagedBackgroundAssetsError)] = []
  }

  /// Does what a device does at an installation event: fetches the manifest, deletes what it does not list any more,
  /// and downloads what the policies ask for, essential packs first, then those to prefetch, in their order. The
  /// configuration's allowances count for these downloads together. One failure does not stop the others.
  public func sync(
    at event: DownloadPolicy.InstallationEvent
  ) async throws(ManagedBackgroundAssetsError) -> SyncOutcome {
    let catalog = try await manifest()
    var outcome = SyncOutcome()
    outcome.removed = try await removeObsolete(catalog)
    let wanted = catalog.packs(at: event)
    let restrictions = configuration.restrictions
    let isEssential = { (pack: AssetPack) in if case .essential = pack.downloadPolicy { true } else { false } }
    try await download(
      wanted.filter(isEssential), DownloadPriority.essential, restrictions.essentialDownloadAllowance,
      restrictions.essentialMaxInstallSize, &outcome)
    try await download(
      wanted.filter { !isEssential($0) }, DownloadPriority.normal, restrictions.downloadAllowance,
      restrictions.maxInstallSize, &outcome)
    return outcome
  }

  /// Downloads packs of one kind within their allowance (compressed bytes) and install size.
  private func download(
    _ packs: [AssetPack], _ priority: Double, _ allowance: Int64?, _ installSize: Int64?, _ outcome: inout SyncOutcome
  ) async throws(ManagedBackgroundAssetsError) {
    var left = Allowance(download: allowance, install: installSize)
    var jobs: [(pack: AssetPack, job: DownloadJob)] = []
    for pack in packs {
      if let local = try await wholeLocal(pack.id), local.version >= pack.version {
        outcome.upToDate.append(pack.id)
        left.installed(local.installSize)
        continue
      }
      do throws(ManagedBackgroundAssetsError) { try left.take(pack) } catch {
        outcome.failures.append((pack.id, error))
        hub.send(.failed(pack, error))
        continue
      }
      let job = enqueue(pack, priority: priority, installLimit: left.install)
      // With a limit on their size unpacked, each must know what those before it took.
      if left.install == nil {
        jobs.append((pack, job))
      } else {
        await finish(pack, job, &outcome)
        if let local = try cache.local(pack.id) { left.installed(local.installSize) }
      }
    }
    for (pack, job) in jobs { await finish(pack, job, &outcome) }
  }

  private func finish(_ pack: AssetPack, _ job: DownloadJob, _ outcome: inout SyncOutcome) async {
    do throws(ManagedBackgroundAssetsError) {
      try await wait(for: job)
      outcome.downloaded.append(pack.id)
    } catch { outcome.failures.append((pack.id, error)) }
  }

  /// Fetches the manifest, deletes what it does not list any more, and starts the download of every pack that is here
  /// in an older version.
  /// - Returns: the ids of both kinds, sorted. `ensureLocalAvailability` with `requireLatestVersion`, or the status
  ///   updates, tell when an update is done.
  public func checkForUpdates() async throws(ManagedBackgroundAssetsError) -> (updating: [String], removed: [String]) {
    let catalog = try await manifest()
    let removed = try await removeObsolete(catalog)
    var updating: [String] = []
    for local in try cache.index().sorted {
      guard let pack = catalog[local.id], pack.version > local.version else { continue }
      updating.append(pack.id)
      _ = enqueue(pack, priority: DownloadPriority.normal, isDetached: true)
    }
    return (updating, removed)
  }

  /// Deletes packs that a valid manifest does not list, and their downloads.
  private func removeObsolete(_ catalog: AssetPackCatalog) async throws(ManagedBackgroundAssetsError) -> [String] {
    for id in jobs.keys where catalog[id] == nil { cancelDownload(ofAssetPackWithID: id) }
    let obsolete = try cache.index().sorted.map(\.id).filter { catalog[$0] == nil }
    let removed = try await removeLocal(obsolete)
    let local = try cache.index().packs
    let wanted = catalog.packs.filter { (local[$0.id]?.version ?? -1) < $0.version }
    cache.sweepDownloads(wanted: Set(wanted.map { CacheLayout.key($0.id) }))
    return removed
  }
}
