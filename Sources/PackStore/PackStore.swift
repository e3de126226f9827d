import AssetPacks
import Synchronization
import SystemIO

/// How a store is opened.
package struct StoreOptions: Sendable {
  /// The state folder; created when missing.
  package var folder: String
  /// The beginning of every link in a manifest: `https://packs.example.com`.
  package var publicBaseURL: String
  /// The longest file that may be uploaded, in bytes.
  package var fileSizeLimit: Int64 = 8 << 30
  /// The part size that is wanted, in bytes; larger ones are used for files that would have over 10,000 parts.
  package var partSize: Int64 = 16 << 20
  /// Bytes of the folder's file system that uploads keep free; 0 for none.
  package var freeSpace: Int64 = 0
  /// The quota of each app that has none of its own.
  package var quota = Quota.preset
  /// What all apps together may store, in bytes; nil when only the disk limits it.
  package var serverQuota: Int64?
  /// How long versions that nobody needs are kept.
  package var retention = Retention()
  package var clock = WallClock.system
  /// Counts rendered manifests, so that tests can see that a publish renders no more than it must.
  package var renders = RenderCount()
  /// False for a verb that works beside the running daemon: the catalog must exist and have this program's format.
  package var takesLock = true

  package init(folder: String, publicBaseURL: String) {
    self.folder = folder
    self.publicBaseURL = publicBaseURL
  }
}

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
  /// Held while an upload becomes a blob, and while a blob is checked for the last time and removed.
  let adopting = Mutex(())
  /// Held by one collection at a time.
  let collecting = Mutex(())
  /// Notified after each committed change.
  let observers = Mutex<[ObserverReference]>([])
  /// The ids of apps whose copies below `published/` could not be written.
  let unwritten = Mutex<Set<String>>([])
  private let lock: LockFile?

  /// Opens the state folder, creates what is missing, and migrates the catalog to the newest format.
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
    // A new catalog beside old packs would restart their version numbers.
    if try !Self.isThere(catalogPath), try !blobs.isEmpty() { throw .catalogMissing(path: catalogPath) }
    catalog = try Catalog(path: catalogPath, mayChange: options.takesLock, now: options.clock.now())
    try catalog.write { (connection) throws(StoreFailure) in try connection.noteChangedApps() }
  }

  private static func isThere(_ path: String) throws(StoreFailure) -> Bool {
    try onDisk(path, try FileStatus.of(path) != nil)
  }

  /// Seconds since 1970.
  func now() -> Int64 { options.clock.now() }

  /// Notifies `observer` of each change by this process from now on, for as long as something else retains it.
  package func tell(_ observer: any StoreObserver) {
    observers.withLock { $0 = $0.filter { $0.observer != nil } + [ObserverReference(observer: observer)] }
  }
}

/// A new id for a record.
func newID() throws(StoreFailure) -> String {
  try random(try randomUUID())
}
