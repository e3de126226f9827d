import EventLoop
import Synchronization
import SystemIO

/// Work that waits for the network or the disk, on a thread of its own, away from the threads that run tasks.
enum BlockingThread {
  /// Runs `body` on a new thread and throws what it throws. The thread has ended when this returns.
  static func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws(ManagedBackgroundAssetsError) -> Value
  ) async throws(ManagedBackgroundAssetsError) -> Value {
    var thread: SystemThread?
    let result: Result<Value, ManagedBackgroundAssetsError> = await withCheckedContinuation { continuation in
      do throws(SystemFailure) {
        thread = try SystemThread(name: name) { continuation.resume(returning: outcome(of: body)) }
      } catch {
        continuation.resume(returning: .failure(ManagedBackgroundAssetsError(error)))
      }
    }
    // It has nothing left to do but to end. A program that ends while it still does would take OpenSSL from under it.
    thread?.join()
    return try result.get()
  }

  private static func outcome<Value>(
    of body: () throws(ManagedBackgroundAssetsError) -> Value
  ) -> Result<Value, ManagedBackgroundAssetsError> {
    do throws(ManagedBackgroundAssetsError) { return .success(try body()) } catch { return .failure(error) }
  }
}

/// What the outside says to a download that runs on a thread of its own.
final class DownloadControl: Sendable {
  private let flag = Atomic(false)

  /// Ends the download at the next piece; what came is kept.
  func stop() { flag.store(true, ordering: .relaxed) }

  var isStopped: Bool { flag.load(ordering: .relaxed) }

  func check() throws(ManagedBackgroundAssetsError) {
    if isStopped { throw .cancelled }
  }
}
