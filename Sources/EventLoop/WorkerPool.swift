import Glibc
import Synchronization
import SystemIO

/// A fixed number of threads for work that may block: disk, SQLite, hashing. The queue is bounded, so
/// that overload turns into a refusal and not into memory.
package final class WorkerPool: Sendable {
  package typealias Job = @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    var next = 0
    var isStopped = false
    var threads: [SystemThread] = []
  }

  // A condition variable needs its mutex, so the state is guarded by the POSIX pair at a fixed address.
  private let condition: Condition<State>
  /// Jobs that may wait at once.
  package let capacity: Int

  /// Starts `threads` threads (at least one) named `name`; at most `capacity` jobs wait at once.
  package init(name: String, threads: Int, capacity: Int) throws(SystemFailure) {
    self.capacity = max(1, capacity)
    let condition = Condition(State())
    self.condition = condition
    do throws(SystemFailure) {
      for _ in 0..<max(1, threads) {
        let thread = try SystemThread(name: name) { Self.work(condition) }
        condition.withLock { $0.threads.append(thread) }
      }
    } catch {
      stop()
      throw error
    }
  }

  /// Queues `job`; false when the queue is full or the pool has stopped, and then it never runs.
  package func submit(_ job: @escaping Job) -> Bool {
    condition.withLock { state in
      guard !state.isStopped, state.jobs.count - state.next < capacity else { return false }
      state.jobs.append(job)
      return true
    }
  }

  /// Jobs that wait for a thread.
  package var waiting: Int { condition.withLock { $0.jobs.count - $0.next } }

  /// Lets the queued jobs finish, then ends the threads and waits for them.
  package func stop() {
    let threads = condition.withLock { state in
      state.isStopped = true
      let threads = state.threads
      state.threads = []
      return threads
    }
    for thread in threads { thread.join() }
  }

  private static func work(_ condition: Condition<State>) {
    while true {
      let job: Job? = condition.wait { state in
        if state.next < state.jobs.count {
          let job = state.jobs[state.next]
          state.next += 1
          // Taken jobs are dropped in bulk: removing the first element each time would move the rest.
          if state.next > 64 || state.next == state.jobs.count {
            state.jobs.removeFirst(state.next)
            state.next = 0
          }
          return .ready(job)
        }
        return state.isStopped ? .ready(nil) : .wait
      }
      guard let job else { return }
      job()
    }
  }
}
