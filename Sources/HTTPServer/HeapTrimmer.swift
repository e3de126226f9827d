import CLinux
import Synchronization

/// Returns memory to the kernel when many clients have left: the memory of 4,000 half-finished handshakes would
/// otherwise stay with the process, whose allocator keeps freed buffers for the next records.
final class HeapTrimmer: Sendable {
  /// From how many connections on trimming is worth the milliseconds that it blocks the allocator.
  private static let crowd = 1000
  private let peak = Mutex(0)

  /// Notes how many connections are open; called every few seconds.
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
