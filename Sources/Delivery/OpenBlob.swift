import PackStore
import Synchronization
import SystemIO

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
