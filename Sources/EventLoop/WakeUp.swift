import CLinux
import Glibc
import SystemIO

/// An eventfd by which any thread wakes a loop.
package struct WakeUp: ~Copyable, Sendable {
  private let counter: FileDescriptor

  /// Throws when the process has no descriptor left.
  package init() throws(SystemFailure) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw SystemFailure("eventfd") }
    counter = FileDescriptor(owning: raw)
  }

  /// The number to add to a `Poller`.
  package var descriptor: Int32 { counter.raw }

  /// Makes the descriptor readable. Safe from any thread.
  package func signal() {
    var one: UInt64 = 1
    _ = write(counter.raw, &one, 8)
  }

  /// Makes the descriptor quiet again.
  package func clear() {
    var count: UInt64 = 0
    _ = read(counter.raw, &count, 8)
  }
}
