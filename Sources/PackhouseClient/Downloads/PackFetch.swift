import HTTPClient
import SystemIO

/// The whole way of one pack, on one thread: lock, download, check, unpack, show.
struct PackFetch: Sendable {
  let pack: AssetPack
  let cache: PackCache
  let transport: GuardedTransport
  let configuration: ClientConfiguration
  let control: DownloadControl
  let installLimit: Int64?
  let progress: @Sendable (Int64) -> Void
  let lowDiskSpace: @Sendable () -> Void

  /// What is here afterwards: the version of `pack`, or a newer one that another process brought.
  func run() throws(ManagedBackgroundAssetsError) -> LocalPack {
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    // Another process may have brought it while this one waited.
    if let local = try cache.wholeLocal(pack.id), local.version >= pack.version { return local }
    var isSecond = false
    while true {
      let partial = try onDisk(try PartialDownload(pack, path: cache.layout.download(pack.id)))
      let wasResumed = partial.isResumed
      try makeRoom(for: pack.downloadSize - partial.length)
      let download = ArchiveDownload(
        pack: pack, transport: transport, configuration: configuration, control: control, progress: progress)
      let sha256 = try download.run(partial)
      do throws(ManagedBackgroundAssetsError) {
        let local = try installation.run(partial.bytesPath, sha256: sha256)
        // Nothing depends on whether this works: the sweep takes what is left.
        try? partial.discard()
        return local
      } catch {
        guard case .badArchive = error else { throw error }
        try onDisk(try partial.discard())
        // Without a digest nobody knows which of two answers was bad.
        guard wasResumed, sha256 == nil, !isSecond else { throw error }
        isSecond = true
      }
    }
  }

  /// Refuses a download that the file system cannot hold before it has filled it. With a disk budget other packs go
  /// first, in the order of purging.
  private func makeRoom(for bytes: Int64) throws(ManagedBackgroundAssetsError) {
    guard try cache.makeFree(bytes, mayPurge: configuration.diskBudget != nil) else {
      lowDiskSpace()
      throw .diskFull("The file system of \(cache.layout.root) has no room for the \(bytes) bytes of \(pack.id).")
    }
  }

  private var installation: PackInstallation {
    PackInstallation(
      pack: pack, cache: cache, configuration: configuration, control: control, installLimit: installLimit,
      lowDiskSpace: lowDiskSpace)
  }

  /// Waits while another process downloads the same pack.
  private func takeLock() throws(ManagedBackgroundAssetsError) -> FileLock {
    while true {
      try control.check()
      do throws(SystemFailure) {
        if let lock = try FileLock.tryTake(cache.layout.downloadLock(pack.id), .exclusive) { return lock }
      } catch { throw ManagedBackgroundAssetsError(error) }
      ClientPause.wait(.milliseconds(30))
    }
  }
}
