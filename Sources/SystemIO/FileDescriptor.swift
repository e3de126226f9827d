import CLinux
import Glibc

/// An open file descriptor that closes itself once.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The kernel's number; valid as long as this value lives.
  package let raw: Int32

  /// Takes ownership of `raw`, which must be open and owned by nobody else.
  package init(owning raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  /// Gives the descriptor away without closing it.
  package consuming func release() -> Int32 {
    let raw = self.raw
    discard self
    return raw
  }
}
