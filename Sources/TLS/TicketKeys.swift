import COpenSSL
import CLinux
import Glibc
import SystemIO

/// The keys under which a listener's session tickets are sealed: the newest seals, it and the two before it open. They
/// are in memory only, and are kept when a certificate is replaced, so that clients resume across that.
///
/// `@unchecked Sendable` is safe: the keys are guarded by the lock beside them.
package final class TicketKeys: @unchecked Sendable {
  /// Seconds after which a new key takes over.
  package static let lifetime: Int64 = 12 * 3600

  let keys: UnsafeMutablePointer<packhouse_ticket_keys>

  /// Makes the first key. Throws when the system gives no random bytes.
  package init() throws(SystemFailure) {
    keys = .allocate(capacity: 1)
    keys.initialize(to: packhouse_ticket_keys())
    pthread_rwlock_init(&keys.pointee.lock, nil)
    keys.pointee.cipher = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)
    try rotate()
  }

  deinit {
    pthread_rwlock_destroy(&keys.pointee.lock)
    EVP_CIPHER_free(keys.pointee.cipher)
    // With an old key recorded traffic can be read: nothing of it stays in memory.
    OPENSSL_cleanse(keys, MemoryLayout<packhouse_ticket_keys>.size)
    keys.deallocate()
  }

  /// Puts a new key in front; the fourth is forgotten. Safe from any thread.
  package func rotate() throws(SystemFailure) {
    var random = try secureRandomBytes(MemoryLayout<packhouse_ticket_key>.size)
    packhouse_tickets_rotate(keys, random)
    OPENSSL_cleanse(&random, random.count)
  }
}
