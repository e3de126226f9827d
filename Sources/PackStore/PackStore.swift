import AssetPacks
import SystemIO
import Synchronization

/// The catalog and the files of a state folder: everything that Packhouse keeps.
///
/// Each operation is one transaction. All may be called from any thread, and all may wait for the disk.
package final class PackStore: Sendable {
  package let options: StoreOptions
  package let blobs: BlobStore
  let catalog: Catalog
  /// What every link in a manifest begins with.
  package let baseURL: PublicBaseURL
  let leases = UploadLeases()
  /// Held while `published/` is written, so that an older state never overwrites a newer one.
  let publishing = Mutex(())
  /// Held while an upload becomes a blob, and while a blob is looked at for the last time and removed.
  let adopting = Mutex(())
  /// Held by one collection at a time.
  let collecting = Mutex(())
  /// Called after each change that is kept.
  let afterChange = Mutex<@Sendable () -> Void>({})
  private let lock: LockFile?

  /// Opens the state folder, creates what is missing, and brings the catalog to the newest format.
  ///
  /// Call ``recover()`` before serving, and ``rerenderManifests(actor:)`` when ``manifestsNeedRerender()``.
  package init(_ options: StoreOptions) throws(StoreFailure) {
    self.options = options
    let folder = options.folder
    baseURL = try checked("publicBaseURL", try PublicBaseURL(options.publicBaseURL))
    let catalogPath = "\(folder)/catalog.sqlite"
    if options.takesLock {
      do throws(SystemFailure) { try Folder.create(folder) } catch { throw .stateFolderNotMade(path: folder, error) }
      switch try onDisk(folder, try LockFile.take("\(folder)/packhouse.lock")) {
      case .taken(let lock): self.lock = lock
      case .heldByOther(let processID): throw .stateFolderInUse(path: folder, processID: processID)
      }
    } else {
      guard try Self.isThere(catalogPath) else { throw .catalogMissing(path: catalogPath) }
      lock = nil
    }
    blobs = try BlobStore(folder: folder)
    // A new catalog beside old packs would start their version numbers again.
    if try !Self.isThere(catalogPath), try !blobs.isEmpty() { throw .catalogMissing(path: catalogPath) }
    catalog = try Catalog(path: catalogPath, mayChange: options.takesLock, now: options.clock.now())
  }

  private static func isThere(_ path: String) throws(StoreFailure) -> Bool {
    try onDisk(path, try FileStatus.of(path) != nil)
  }

  /// Seconds since 1970.
  func now() -> Int64 { options.clock.now() }

  /// Has `body` called after each change of this process that is kept, on the thread that made it; it must not wait.
  package func onChange(_ body: @escaping @Sendable () -> Void) { afterChange.withLock { $0 = body } }
}

/// A new id for a record.
func newID() throws(StoreFailure) -> String {
  try random(try randomUUID())
}
