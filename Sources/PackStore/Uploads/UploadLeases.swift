import Synchronization

/// Who is currently writing to which upload.
///
/// An upload is committed only while nobody writes to it, and a part is begun only while no commit is in progress, so
/// no open descriptor can change bytes that were hashed.
final class UploadLeases: Sendable {
  private struct Lease {
    /// By part number; more than one while a later one takes over.
    var writers: [Int: [Writer]] = [:]
    var isClosing = false
  }

  /// Weak: a writer that was dropped without ending writes no more and blocks nothing. It may be freed while the lock
  /// below is held, so its deinitializer must not take the lock: the next caller removes it.
  private struct Writer {
    weak var value: UploadPartWriter?
  }

  private let leases = Mutex<[String: Lease]>([:])

  /// Lets `writer` into its part.
  ///
  /// - Returns: the writers that are still in the part, all of which the new one has to end before it writes.
  /// - Throws: `uploadClosed` while the upload is being committed.
  func enter(_ writer: UploadPartWriter) throws(StoreFailure) -> [UploadPartWriter] {
    try leases.withLock { (leases: inout sending [String: Lease]) throws(StoreFailure) -> [UploadPartWriter] in
      var lease = leases[writer.upload] ?? Lease()
      if lease.isClosing { throw .uploadClosed(upload: writer.upload, state: .uploadComplete) }
      let predecessors = lease.writers[writer.part.number, default: []].compactMap(\.value)
      lease.writers[writer.part.number] = (predecessors + [writer]).map { Writer(value: $0) }
      leases[writer.upload] = lease
      return predecessors
    }
  }

  /// Forgets `writer`, and those of its part that were dropped.
  func leave(upload: String, part: Int, _ writer: UploadPartWriter) {
    leases.withLock { leases in
      guard let writers = leases[upload]?.writers[part] else { return }
      let left = writers.filter { $0.value != nil && $0.value !== writer }
      leases[upload]?.writers[part] = left.isEmpty ? nil : left
      if let lease = leases[upload], lease.writers.isEmpty, !lease.isClosing { leases[upload] = nil }
    }
  }

  /// Keeps writers out of the upload while `body` runs.
  ///
  /// - Throws: `partsInProgress` when one is in.
  func closed<T: Sendable>(_ upload: String, _ body: () throws(StoreFailure) -> T) throws(StoreFailure) -> T {
    try leases.withLock { (leases: inout sending [String: Lease]) throws(StoreFailure) in
      let lease = leases[upload] ?? Lease()
      if lease.isClosing { throw .uploadClosed(upload: upload, state: .uploadComplete) }
      let busy = lease.writers.filter { $0.value.contains { $0.value != nil } }.keys.sorted()
      guard busy.isEmpty else { throw .partsInProgress(busy) }
      leases[upload] = Lease(isClosing: true)
    }
    // From here on the catalog says whether parts are taken, and a new writer asks it.
    defer { leases.withLock { $0[upload] = nil } }
    return try body()
  }
}
