import CLinux
import Digests
import Glibc
import Synchronization
import SystemIO

/// Receives the bytes of one part of an upload, from first to last.
///
/// As long as it lives and has not ended, the upload cannot be committed. A later writer of the same part takes over;
/// from then on this one throws `partReplaced`. Drop it to give up.
package final class UploadPartWriter: Sendable {
  package let upload: String
  package let part: PartLayout.Part
  private let leases: UploadLeases
  private let record: @Sendable (_ entityTag: String) throws(StoreFailure) -> Void
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var file: FileDescriptor?
    var path = ""
    let digest = RunningDigest()
    var written: Int64 = 0
    var isReplaced = false
  }

  /// `@unchecked`: lives only in the state above, which one thread at a time reaches through its lock.
  private struct RunningDigest: @unchecked Sendable {
    let value = Digest(.sha256)
  }

  init(
    upload: String, part: PartLayout.Part, leases: UploadLeases,
    record: @escaping @Sendable (_ entityTag: String) throws(StoreFailure) -> Void
  ) {
    self.upload = upload
    self.part = part
    self.leases = leases
    self.record = record
  }

  /// Takes the part over and opens the file; `prepare` runs once nobody else writes to the part.
  func begin(path: String, prepare: () throws(StoreFailure) -> Void) throws(StoreFailure) {
    let predecessors = try leases.enter(self)
    do throws(StoreFailure) {
      try state.withLock { (state: inout sending State) throws(StoreFailure) in
        for predecessor in predecessors { predecessor.replace() }
        if state.isReplaced { throw .partReplaced(part: part.number) }
        try prepare()
        state.path = path
        do throws(SystemFailure) {
          state.file = try FileDescriptor.open(path, O_WRONLY)
        } catch {
          throw error.code == ENOENT ? .uploadBytesMissing(upload: upload) : StoreFailure(error, path: path)
        }
      }
    } catch {
      leases.leave(upload: upload, part: part.number, self)
      throw error
    }
  }

  /// Writes the next bytes of the part.
  ///
  /// - Throws: `partTooLong` for bytes past the part's end, none of which is written.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
    try state.withLock { (state: inout sending State) throws(StoreFailure) in
      try check(state)
      guard Int64(bytes.count) <= part.length - state.written else {
        throw .partTooLong(part: part.number, expected: part.length)
      }
      if bytes.isEmpty { return }
      do throws(SystemFailure) {
        try state.file?.writeAll(bytes, at: part.offset + state.written, subject: state.path)
      } catch { throw StoreFailure(error, path: state.path) }
      state.digest.value.update(bytes)
      state.written += Int64(bytes.count)
    }
  }

  /// Ends the part: the bytes are on the disk and the catalog says so when this returns.
  ///
  /// - Returns: the part's entity tag, without quotes.
  /// - Throws: `partTooShort` when bytes are missing.
  package func finish() throws(StoreFailure) -> String {
    defer { leases.leave(upload: upload, part: part.number, self) }
    return try state.withLock { (state: inout sending State) throws(StoreFailure) -> String in
      defer { state.file = nil }
      try check(state)
      guard state.written == part.length else {
        throw .partTooShort(part: part.number, expected: part.length, received: state.written)
      }
      do throws(SystemFailure) {
        try state.file?.synchronizeData(subject: state.path)
      } catch { throw StoreFailure(error, path: state.path) }
      let entityTag = state.digest.value.finishText()
      try record(entityTag)
      return entityTag
    }
  }

  /// Gives up before the end; the part counts as not received.
  package func cancel() {
    state.withLock { $0.file = nil }
    leases.leave(upload: upload, part: part.number, self)
  }

  /// Waits for a running write to end and allows no further one.
  private func replace() {
    state.withLock { state in
      state.isReplaced = true
      state.file = nil
    }
    leases.leave(upload: upload, part: part.number, self)
  }

  private func check(_ state: borrowing State) throws(StoreFailure) {
    if state.isReplaced || state.file == nil { throw .partReplaced(part: part.number) }
  }
}

/// The received bytes of uploads: sparse files that have their full length from the start.
extension BlobStore {
  /// Makes the file of a new upload, durable before its row is written: a row without a file would be a lost
  /// upload, a file without a row is cleaned up at start.
  func createUpload(_ id: String, size: Int64) throws(StoreFailure) {
    let path = path(ofUpload: id)
    try onDisk(path) { () throws(SystemFailure) in
      let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      if ftruncate(file.raw, Int(size)) != 0 {
        let failure = SystemFailure("ftruncate", path)
        unlink(path)
        throw failure
      }
      try file.synchronize(subject: path)
      try Folder.synchronize(uploadsFolder)
    }
  }

  /// Whether the file of an upload is there.
  func hasUpload(_ id: String) throws(StoreFailure) -> Bool {
    let path = path(ofUpload: id)
    return try onDisk(path, try FileStatus.of(path) != nil)
  }

  /// Removes the file of an upload, if it is there.
  func removeUpload(_ id: String) throws(StoreFailure) {
    let path = path(ofUpload: id)
    try onDisk(path) { () throws(SystemFailure) in
      if try removeFile(path) { try Folder.synchronize(uploadsFolder) }
    }
  }
}
