import COpenSSL
import Synchronization

/// OpenSSL's tables of algorithms with their locks, a library context (OSSL_LIB_CTX(3)). A handshake looks into them
/// about a thousand times, so loops that share one wait for each other.
///
/// `@unchecked Sendable` is safe: OpenSSL locks what is inside.
struct LibraryContext: @unchecked Sendable {
  /// nil for the process's own.
  let handle: OpaquePointer?

  /// The process's own, which everything else uses.
  static let shared = LibraryContext(handle: nil)

  /// Each costs a quarter of a mebibyte, and two of the 1,024 keys for threads' own values that a process may have.
  private static let limit = 64
  private static let ofLoops = Mutex<[LibraryContext]>([])

  /// The one of loop `number`, from 0. It stays until the process ends, because threads keep parts of it; loops beyond
  /// the first 64 share those of others.
  static func ofLoop(_ number: Int) -> LibraryContext {
    ofLoops.withLock { made in
      let place = max(0, number) % limit
      while made.count <= place { made.append(LibraryContext(handle: packhouse_library_context_make())) }
      return made[place]
    }
  }
}
