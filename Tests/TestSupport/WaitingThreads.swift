import Foundation
import Testing

/// Runs a suite's tests on threads of their own. A test that waits for a daemon, a process or a socket would otherwise
/// hold one of the few threads that all tests share, one for each core, and keep the others from running.
public struct WaitingThreads: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreadPool.shared) { try await function() }
  }
}

extension Trait where Self == WaitingThreads {
  /// For suites whose tests wait more than they compute.
  public static var waits: Self { WaitingThreads() }
}

/// A fixed number of threads that take jobs in the order in which they come.
private final class WaitingThreadPool: TaskExecutor, @unchecked Sendable {
  static let shared = WaitingThreadPool(threads: 6)

  /// Guarded by `condition`.
  private var jobs: [UnownedJob] = []
  private let condition = NSCondition()

  private init(threads: Int) {
    for _ in 0..<threads { Thread.detachNewThread { self.run() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    condition.signal()
    condition.unlock()
  }

  private func run() {
    while true {
      condition.lock()
      while jobs.isEmpty { condition.wait() }
      let job = jobs.removeFirst()
      condition.unlock()
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
