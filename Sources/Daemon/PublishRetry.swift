import Synchronization

/// Tries again what a publish could not do: the catalog could not be read, or a version's file could not be opened, for
/// want of a descriptor or because it was missing. Nobody has to restart the daemon once the cause is gone.
final class PublishRetry: Sendable {
  /// Seconds until a publish that failed is tried again, and until a file that could not be opened is.
  private static let failurePause: Int64 = 30
  private static let faultPause: Int64 = 300

  private struct State {
    var failed = 0
    var published = 0
    var isHeldUp = false
    /// Monotonic seconds of the last try, or of the moment when all was well.
    var last: Int64
  }

  private let state: Mutex<State>

  /// `now` is in monotonic seconds.
  init(now: Int64) { state = Mutex(State(last: now)) }

  /// Whether to publish again now. `failed` and `published` are how often each has happened so far, `faults` how many
  /// versions are not served. Called every few seconds.
  func isDue(failed: Int, published: Int, faults: Int, now: Int64) -> Bool {
    state.withLock { state in
      if failed != state.failed {
        state.isHeldUp = true
      } else if published != state.published {
        state.isHeldUp = false
      }
      state.failed = failed
      state.published = published
      guard state.isHeldUp || faults > 0 else {
        state.last = now
        return false
      }
      guard now - state.last >= (state.isHeldUp ? Self.failurePause : Self.faultPause) else { return false }
      state.last = now
      return true
    }
  }
}
