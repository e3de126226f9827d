import CLinux
import Synchronization

/// Gives memory back to the kernel when a crowd of clients has gone: what 4,000 half handshakes took would otherwise
/// stay with the process, which keeps what it frees because buffers of records are soon wanted again.
final class HeapTrimmer: Sendable {
  /// Connections from which on it is worth the milliseconds for which the allocator stands still.
  private static let crowd = 1000
  private let peak = Mutex(0)

  /// Takes note of how many connections are open now; called every few seconds.
  func note(_ open: Int) {
    let hasGone = peak.withLock { peak in
      peak = max(peak, open)
      guard peak >= Self.crowd, open < peak / 4 else { return false }
      peak = open
      return true
    }
    if hasGone { packhouse_give_back_memory() }
  }
}
