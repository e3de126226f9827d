import AppleArchive
import CLinux
import Glibc
import HTTPClient
import Packing
import SystemIO
import Values

/// Makes a verified archive a pack whose files can be read: unpacked beside, made durable, visible in one step.
struct PackInstallation {
  let pack: AssetPack
  let cache: PackCache
  let configuration: ClientConfiguration
  let control: DownloadControl
  /// The most bytes that the files may take together; nil for no limit.
  let installLimit: Int64?
  /// Called when only what is in use could make room.
  let lowDiskSpace: @Sendable () -> Void

  /// Unpacks the archive at `path`, and takes the place of the version that was there.
  func run(_ path: String, sha256: String?) throws(ManagedBackgroundAssetsError) -> LocalPack {
    let staged = try stage()
    do throws(ManagedBackgroundAssetsError) {
      let files = "\(staged.path)/\(CacheLayout.filesName)"
      let result = try extract(path, into: files)
      let local = LocalPack(
        pack, folder: staged.name, installSize: result.bytes, files: result.files, sha256: sha256)
      do throws(SystemFailure) {
        try AtomicFile.write(local.json.serialize(), to: "\(staged.path)/\(CacheLayout.recordName)")
        try Folder.synchronizeFileSystem(staged.path)
      } catch { throw ManagedBackgroundAssetsError(error) }
      try commit(local, staged.path)
      return local
    } catch {
      Folder.removeTree(staged.path)
      throw error
    }
  }

  /// A new folder in the staging area, held so that no other process clears it away.
  private func stage() throws(ManagedBackgroundAssetsError) -> (name: String, path: String, hold: FileLock) {
    do throws(SystemFailure) {
      let name = "\(CacheLayout.key(pack.id)).\(pack.version).\(hexadecimal(try secureRandomBytes(6)))"
      let path = "\(cache.layout.staging)/\(name)"
      // The sweep takes the same lock, so it never sees the folder without its hold.
      let lock = try FileLock.take(cache.layout.lock, .exclusive)
      guard mkdir(path, 0o755) == 0 else { throw SystemFailure("mkdir", path) }
      let hold = try FileLock.take("\(path)/\(CacheLayout.useName)", .shared)
      withExtendedLifetime(lock) {}
      return (name, path, hold)
    } catch { throw ManagedBackgroundAssetsError(error) }
  }

  private func extract(
    _ path: String, into folder: String
  ) throws(ManagedBackgroundAssetsError) -> PackExtraction.Result {
    var extraction = PackExtraction()
    extraction.contentsOnly = true
    let control = control
    extraction.limits.isExpired = { control.isStopped }
    extraction.limits.decodedBytes = configuration.largestPack
    if let installLimit {
      // The archive's headers and manifest count too: some room for them, the exact sum is compared below.
      let limit = installLimit.addingReportingOverflow(64 << 20)
      if !limit.overflow { extraction.limits.decodedBytes = min(extraction.limits.decodedBytes, limit.partialValue) }
    }
    let result: PackExtraction.Result
    do throws(PackingFailure) {
      let file: ArchiveFile
      do throws(SystemFailure) { file = try ArchiveFile(path) } catch { throw PackingFailure.system(error) }
      result = try extraction.extract(file, into: folder)
    } catch { throw failure(error) }
    if let installLimit, result.bytes > installLimit {
      throw .installSizeExceeded(pack: pack.id, left: installLimit)
    }
    return result
  }

  private func failure(_ failure: PackingFailure) -> ManagedBackgroundAssetsError {
    switch failure {
    case .system(let inner): return ManagedBackgroundAssetsError(inner)
    case .archive(_, .deadlineExpired) where control.isStopped: return .cancelled
    case .archive(_, .decodedBytesLimit) where installLimit != nil:
      return .installSizeExceeded(pack: pack.id, left: installLimit ?? 0)
    case .archive(_, .source(let sentence)): return .file(sentence)
    case .archive(_, let inner): return .badArchive(pack: pack.id, reason: inner.sentence)
    default: return .badArchive(pack: pack.id, reason: failure.sentence)
    }
  }

  /// Makes room within the budget, then makes the pack visible.
  private func commit(_ local: LocalPack, _ staged: String) throws(ManagedBackgroundAssetsError) {
    let deadline = ContinuousClock.now + configuration.lowDiskSpacePatience
    var hasTold = false
    while true {
      let shortage = try cache.change { index throws(ManagedBackgroundAssetsError) in
        try publish(local, staged, &index)
      }
      guard let shortage else { break }
      // Those who use something get the chance to let go of it.
      if !hasTold { lowDiskSpace() }
      hasTold = true
      try control.check()
      guard .now < deadline else { throw shortage }
      ClientPause.wait(.milliseconds(20))
    }
    cache.sweep()
  }

  /// The reason when there is no room; nothing has changed then.
  private func publish(
    _ local: LocalPack, _ staged: String, _ index: inout CacheIndex
  ) throws(ManagedBackgroundAssetsError) -> ManagedBackgroundAssetsError? {
    if let budget = configuration.diskBudget {
      guard cache.makeRoom(for: local, budget: budget, &index) else {
        return .onDemandResourceOutOfSpace(pack: pack.id, size: local.installSize, budget: budget)
      }
    }
    do throws(SystemFailure) {
      let target = cache.layout.pack(local.folder)
      guard rename(staged, target) == 0 else { throw SystemFailure("rename", target) }
      try Folder.synchronize(cache.layout.packs)
    } catch { throw ManagedBackgroundAssetsError(error) }
    index.put(local)
    return nil
  }
}
