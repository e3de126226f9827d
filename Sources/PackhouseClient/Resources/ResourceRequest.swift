import Synchronization
import SystemIO

/// Access to the packs behind tags, the way On-Demand Resources had it, over the same packs: between `beginAccessing`
/// and `endAccessing` they are here and stay, whatever is purged, updated or removed. Access ends with the request at
/// the latest, and with the process.
///
/// A tag means the packs whose `userInfo.tags` list it, or else the pack with that id. Packs may be shared between
/// tags, tags between requests; a pack is free when the last request has ended its access.
public final class ResourceRequest: Sendable {
  public let tags: Set<String>
  private let manager: AssetPackManager

  private struct State {
    var priority = LoadingPriority.normal
    /// What keeps the packs' folders.
    var holds: [FileLock] = []
    var packs: [AssetPack] = []
    var loading: Task<Result<[FileLock], ManagedBackgroundAssetsError>, Never>?
  }
  private let state = Mutex(State())

  public init(tags: Set<String>, manager: AssetPackManager) {
    self.tags = tags
    self.manager = manager
  }

  deinit { state.withLock { $0.loading }?.cancel() }

  /// Whether the packs are held.
  public var isAccessing: Bool { state.withLock { !$0.holds.isEmpty } }

  /// May be changed while packs are loading.
  public var loadingPriority: LoadingPriority {
    get { state.withLock { $0.priority } }
    set {
      let packs = state.withLock { state in
        state.priority = newValue
        return state.packs
      }
      let manager = manager
      Task { for pack in packs { await manager.setPriority(newValue.value, ofDownload: pack.id) } }
    }
  }

  /// Downloads what is missing, and holds all packs of the tags. When one cannot be had, none is held. Does nothing
  /// when they are held already. Throws `.onDemandResourceInvalidTag` for a tag that no pack carries.
  public func beginAccessing() async throws(ManagedBackgroundAssetsError) {
    if isAccessing { return }
    let packs = try await manager.packs(tagged: tags)
    let priority = state.withLock { state in
      state.packs = packs
      return state.priority
    }
    let manager = manager
    let loading = Task { await Self.load(packs, priority, manager) }
    state.withLock { $0.loading = loading }
    let result = await withTaskCancellationHandler {
      await loading.value
    } onCancel: {
      loading.cancel()
    }
    state.withLock { $0.loading = nil }
    let holds = try result.get()
    state.withLock { $0.holds = holds }
  }

  /// Holds the packs when all of them are here; downloads nothing, and asks no server.
  /// - Returns: whether they are held.
  public func conditionallyBeginAccessing() async throws(ManagedBackgroundAssetsError) -> Bool {
    if isAccessing { return true }
    guard let ids = try await manager.localIDs(tagged: tags) else { return false }
    var holds: [FileLock] = []
    for id in ids {
      guard let hold = try manager.cache.hold(id) else { return false }
      holds.append(hold.lock)
    }
    let all = holds
    state.withLock { $0.holds = all }
    return true
  }

  /// Lets go of the packs: they stay until room is needed.
  public func endAccessing() { state.withLock { $0.holds = [] } }

  private static func load(
    _ packs: [AssetPack], _ priority: LoadingPriority, _ manager: AssetPackManager
  ) async -> Result<[FileLock], ManagedBackgroundAssetsError> {
    await withTaskGroup(of: Result<FileLock, ManagedBackgroundAssetsError>.self) { group in
      for pack in packs { group.addTask { await hold(pack, priority, manager) } }
      var holds: [FileLock] = []
      var failure: ManagedBackgroundAssetsError?
      for await result in group {
        switch result {
        case .success(let hold): holds.append(hold)
        case .failure(let error):
          // The others' end is only a consequence.
          if failure == nil { failure = error }
          group.cancelAll()
        }
      }
      if let failure { return .failure(failure) }
      return .success(holds)
    }
  }

  /// Held as soon as it is here, so that the next download does not push it out.
  private static func hold(
    _ pack: AssetPack, _ priority: LoadingPriority, _ manager: AssetPackManager
  ) async -> Result<FileLock, ManagedBackgroundAssetsError> {
    do throws(ManagedBackgroundAssetsError) {
      // It may be purged again in between; a process that does so again and again is not waited for.
      for _ in 0..<5 {
        if let hold = try manager.cache.hold(pack.id) { return .success(hold.lock) }
        try await manager.ensure(pack, requireLatestVersion: false, priority: priority.value)
      }
      return .failure(.assetPackNotFound(withID: pack.id))
    } catch { return .failure(error) }
  }

  // MARK: Loading

  /// How far the request's packs are, in bytes of their archives. Packs that are here count as whole.
  public func progress() async -> DownloadProgress {
    let packs = state.withLock { $0.packs }
    var completed: Int64 = 0
    for pack in packs {
      if let progress = await manager.progress(ofDownload: pack.id) {
        completed += progress.completed
      } else if (try? manager.cache.local(pack.id)) != nil {
        completed += pack.downloadSize
      }
    }
    return DownloadProgress(completed: completed, total: packs.reduce(0) { $0 + $1.downloadSize })
  }

  /// The progress each time that it changes from now on.
  public var progressUpdates: some AsyncSequence<DownloadProgress, Never> & Sendable {
    manager.statusUpdates.filter { [self] update in
      state.withLock { $0.packs.contains { $0.id == update.assetPack.id } }
    }
    .map { [self] _ in await progress() }
  }

  /// Stops the downloads and keeps what came; `beginAccessing` goes on waiting. A download that another request needs
  /// too waits for both.
  public func pause() async {
    for pack in state.withLock({ $0.packs }) { await manager.pauseDownload(ofAssetPackWithID: pack.id) }
  }

  /// Goes on with paused downloads.
  public func resume() async {
    for pack in state.withLock({ $0.packs }) { await manager.resumeDownload(ofAssetPackWithID: pack.id) }
  }

  /// Makes `beginAccessing` end with `.cancelled`; downloads that nobody else waits for end, and what came is kept.
  public func cancel() { state.withLock { $0.loading }?.cancel() }
}

/// How important the downloads of a `ResourceRequest` are, from 0 to 1; urgent above all.
public struct LoadingPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// From 0 to 1; larger for `urgent`.
  public let value: Double

  /// Cut to 0…1; what is not a number counts as 0.
  public init(_ value: Double) { self.value = value >= 0 ? min(1, value) : 0 }
  public init(floatLiteral value: Double) { self.init(value) }
  public init(integerLiteral value: Int) { self.init(Double(value)) }
  private init(unchecked value: Double) { self.value = value }

  /// Starts at once, also when as many downloads run as may.
  public static let urgent = LoadingPriority(unchecked: .greatestFiniteMagnitude)
  public static let normal = LoadingPriority(0.5)

  public static func < (a: LoadingPriority, b: LoadingPriority) -> Bool { a.value < b.value }
}
