import Glibc

/// A value behind a lock that threads can wait on: a POSIX mutex and condition variable together.
///
/// `@unchecked Sendable` is safe because the value is only touched while the mutex is held.
package final class Condition<Value: Sendable>: @unchecked Sendable {
  /// What a waiting thread found.
  package enum Finding<Result> {
    /// Not yet: wait for the next change.
    case wait
    case ready(Result)
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Changes the value and wakes every waiting thread.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  /// Calls `body` now and after each change until it is ready.
  package func wait<Result>(until body: (inout Value) -> Finding<Result>) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if case .ready(let result) = body(&value) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }
}
