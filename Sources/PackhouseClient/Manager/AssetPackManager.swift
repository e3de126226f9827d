/// The asset packs of an app, as Background Assets' manager of the same name on devices: what the manifest lists, what
/// is here, and how the one becomes the other.
///
/// One process may have several managers of one cache, and several processes may share it.
public actor AssetPackManager {
  public nonisolated let configuration: ClientConfiguration
  nonisolated let cache: PackCache
  nonisolated let transport: GuardedTransport
  nonisolated let manifests: ManifestStore
  nonisolated let hub = UpdateHub<DownloadStatusUpdate>()
  nonisolated let lowDiskSpaceHub = UpdateHub<LowDiskSpace>()

  private var known: AssetPackCatalog?
  /// By pack id.
  var jobs: [String: DownloadJob] = [:]
  var running = 0
  var sequence = 0

  /// Opens the cache, and makes it when it is missing.
  /// - Parameter transport: where bytes come from; by default HTTPS as the configuration says.
  public init(
    _ configuration: ClientConfiguration, transport: (any PackTransport)? = nil
  ) throws(ManagedBackgroundAssetsError) {
    self.configuration = configuration
    let bytes: any PackTransport
    if let transport {
      bytes = transport
    } else {
      bytes = try HTTPSTransport(authorities: configuration.authorities, noProgress: configuration.noProgress)
    }
    self.transport = GuardedTransport(
      transport: bytes, hosts: try AllowedHosts(configuration.restrictions.domainAllowList))
    cache = try PackCache(configuration.cacheFolder)
    manifests = ManifestStore(cache: cache, transport: self.transport, configuration: configuration)
  }

  // MARK: Manifest

  /// Fetches the manifest. Packs that are here stay as they are; `checkForUpdates` and `sync` act on it.
  @discardableResult
  public func manifest() async throws(ManagedBackgroundAssetsError) -> AssetPackCatalog {
    let manifests = manifests
    let catalog = try await BlockingThread.run("manifest") { () throws(ManagedBackgroundAssetsError) in
      try manifests.fetch()
    }
    known = catalog
    return catalog
  }

  /// The manifest as it was fetched last, by this manager or an earlier one; fetched when there is none.
  func catalog() async throws(ManagedBackgroundAssetsError) -> AssetPackCatalog {
    if let known { return known }
    if let stored = manifests.stored() {
      known = stored
      return stored
    }
    return try await manifest()
  }

  /// The manifest as it was fetched last, without asking the server; empty when none was ever fetched. `status` goes by
  /// it from then on.
  public func storedManifest() throws(ManagedBackgroundAssetsError) -> AssetPackCatalog {
    let catalog: AssetPackCatalog
    if let stored = manifests.stored() {
      catalog = stored
    } else {
      catalog = try AssetPackCatalog(manifest: Array(#"{"assetPacks":[]}"#.utf8))
    }
    known = catalog
    return catalog
  }

  /// All packs that the manifest lists now.
  public func allAssetPacks() async throws(ManagedBackgroundAssetsError) -> [AssetPack] { try await manifest().packs }

  /// The pack of the manifest with that id. Throws `.assetPackNotFound`.
  public func assetPack(withID id: String) async throws(ManagedBackgroundAssetsError) -> AssetPack {
    if let pack = try await catalog()[id] { return pack }
    guard let pack = try await manifest()[id] else { throw .assetPackNotFound(withID: id) }
    return pack
  }

  // MARK: Status

  /// What is known about the pack, from the manifest that was fetched last and from the cache. Throws
  /// `.assetPackNotFound` when neither knows it.
  public func status(
    ofAssetPackWithID id: String
  ) async throws(ManagedBackgroundAssetsError) -> AssetPack.Status {
    let listed = try await catalog()[id]?.version
    let local = try cache.local(id)?.version
    guard listed != nil || local != nil else { throw .assetPackNotFound(withID: id) }
    var status = AssetPack.Status(listed: listed, local: local)
    if let job = jobs[id], job.state != .paused { status.insert(.downloading) }
    return status
  }

  /// The version of the pack that is here; nil when none is.
  public nonisolated func localVersion(
    ofAssetPackWithID id: String
  ) throws(ManagedBackgroundAssetsError) -> Int? { try cache.local(id)?.version }

  /// The ids of all packs that are here, sorted.
  public nonisolated func localAssetPackIDs() throws(ManagedBackgroundAssetsError) -> [String] {
    try cache.index().sorted.map(\.id)
  }

  /// What happens to downloads from now on.
  public nonisolated var statusUpdates: AsyncStream<DownloadStatusUpdate> { hub.stream() }

  /// Ends all streams of `statusUpdates` that there are, after what happened so far.
  public nonisolated func endStatusUpdates() { hub.finish() }

  /// What happens to the downloads of one pack from now on.
  public nonisolated func statusUpdates(forAssetPackWithID id: String) -> some AsyncSequence<
    DownloadStatusUpdate, Never
  >
    & Sendable
  {
    hub.stream().filter { @Sendable in $0.assetPack.id == id }
  }

  /// Comes when a download needs room that only packs in use could give, before it fails: end access to what is not
  /// needed. Nothing that is in use is ever taken away.
  public nonisolated var lowDiskSpaceNotifications: AsyncStream<LowDiskSpace> { lowDiskSpaceHub.stream() }

  // MARK: Availability

  /// Comes back when the pack is here, and its files can be read.
  /// - Parameter requireLatestVersion: whether an older version than `pack` is not enough.
  public func ensureLocalAvailability(
    of pack: AssetPack, requireLatestVersion: Bool = false
  ) async throws(ManagedBackgroundAssetsError) {
    try await ensure(pack, requireLatestVersion: requireLatestVersion, priority: DownloadPriority.normal)
  }

  func ensure(
    _ pack: AssetPack, requireLatestVersion: Bool, priority: Double
  ) async throws(ManagedBackgroundAssetsError) {
    // A job that is on its way may be for the version before.
    for _ in 0..<3 {
      if let local = try await wholeLocal(pack.id), !requireLatestVersion || local.version >= pack.version {
        return cache.touch(local)
      }
      try await wait(for: enqueue(pack, priority: priority))
    }
  }

  /// The pack, when it is here with all its files.
  func wholeLocal(_ id: String) async throws(ManagedBackgroundAssetsError) -> LocalPack? {
    guard let local = try cache.local(id) else { return nil }
    if cache.isKnownWhole(local) { return local }
    let cache = cache
    return try await BlockingThread.run("check") { () throws(ManagedBackgroundAssetsError) in try cache.wholeLocal(id) }
  }

  /// Deletes the pack from this machine; it can be downloaded again. Throws `.assetPackNotFound` when it is not here.
  public func remove(assetPackWithID id: String) async throws(ManagedBackgroundAssetsError) {
    cancelDownload(ofAssetPackWithID: id)
    guard try await removeLocal([id]) == [id] else { throw .assetPackNotFound(withID: id) }
  }

  func removeLocal(_ ids: [String]) async throws(ManagedBackgroundAssetsError) -> [String] {
    let cache = cache
    return try await BlockingThread.run("remove") { () throws(ManagedBackgroundAssetsError) in try cache.remove(ids) }
  }
}

/// How important a download is.
enum DownloadPriority {
  static let normal = 0.5
  static let essential = 1.0
}
