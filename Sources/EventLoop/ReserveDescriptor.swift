import CLinux
import Glibc

/// A descriptor that is kept for the moment when the process has no other: it makes room for one call of `accept`, so
/// that a client can be told by a close. Used by one thread.
package struct ReserveDescriptor: ~Copyable {
  private var raw: Int32 = -1

  /// Takes a descriptor, when there is one.
  package init() { refill() }

  deinit { if raw >= 0 { close(raw) } }

  /// Takes a descriptor again after one was lost to another thread.
  package mutating func refill() {
    if raw < 0 { raw = packhouse_openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0) }
  }

  /// Gives the descriptor back to the process while `body` runs.
  package mutating func lend(_ body: () -> Void) {
    if raw >= 0 { close(raw) }
    raw = -1
    body()
    refill()
  }
}
