import PackStore
import Synchronization
import SystemIO

/// The files that snapshots have open, by hash: the same bytes are opened once, even if several versions or apps have
/// them. A file that no snapshot and no transfer needs is closed.
final class OpenBlobs: Sendable {
  private struct Entry: Sendable {
    weak var blob: OpenBlob?
  }

  private struct State: Sendable {
    var entries: [String: Entry] = [:]
    /// Beyond this number of entries, those of closed files are removed.
    var limit = 256
  }

  private let blobs: BlobStore
  private let state = Mutex(State())
  private let count = OpenBlobCount()
  /// How many files may stay open. Beyond it a file is opened for the one answer that needs it.
  private let most: Int

  init(blobs: BlobStore, most: Int) {
    self.blobs = blobs
    self.most = most
  }

  var openCount: Int { count.value.load(ordering: .relaxed) }

  /// Whether one more file may stay open.
  var hasRoom: Bool { openCount < most }

  /// The open file, which must have the length that the catalog says.
  func open(sha256: String, size: Int64, counts: BuildCounts) throws(StoreFailure) -> OpenBlob {
    if let known = state.withLock({ $0.entries[sha256]?.blob }), known.size == size { return known }
    let blob = try OpenBlob(sha256: sha256, size: size, in: blobs, count: count)
    counts.addFile()
    state.withLock { state in
      state.entries[sha256] = Entry(blob: blob)
      guard state.entries.count > state.limit else { return }
      state.entries = state.entries.filter { $0.value.blob != nil }
      state.limit = max(256, state.entries.count * 2)
    }
    return blob
  }

  /// Makes the next use of that hash open the file again.
  func forget(_ sha256: String) { state.withLock { $0.entries[sha256] = nil } }
}

/// The bytes of a version, open for reading as long as a snapshot or a transfer needs them.
package final class OpenBlob: Sendable {
  /// The hash of the bytes: 64 lower-case hexadecimal digits.
  let sha256: String
  /// The length in bytes.
  let size: Int64
  let descriptor: FileDescriptor
  private let count: OpenBlobCount

  /// Opens the blob, whose file must have the length that the catalog says.
  init(sha256: String, size: Int64, in blobs: BlobStore, count: OpenBlobCount) throws(StoreFailure) {
    self.sha256 = sha256
    self.size = size
    descriptor = try blobs.openBlob(sha256, size: size)
    self.count = count
    count.value.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { count.value.wrappingSubtract(1, ordering: .relaxed) }
}

/// How many files are open for what is served.
final class OpenBlobCount: Sendable {
  let value = Atomic<Int>(0)
}
