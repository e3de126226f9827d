import Glibc

/// Waiting between attempts.
package enum ClientPause {
  /// Blocks the thread for `duration`, signals or not.
  package static func wait(_ duration: Duration) {
    let deadline = ContinuousClock.now + duration
    while true {
      let left = (deadline - .now).components
      guard left.seconds > 0 || left.seconds == 0 && left.attoseconds > 0 else { return }
      var request = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
      nanosleep(&request, nil)
    }
  }
}
