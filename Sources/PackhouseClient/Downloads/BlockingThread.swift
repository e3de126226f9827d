import EventLoop
import Synchronization
import SystemIO

/// Work that waits for the network or the disk, on a thread of its own, away from the threads that run tasks.
enum BlockingThread {
  static func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws(ManagedBackgroundAssetsError) -> Value
  ) async throws(ManagedBackgroundAssetsError) -> Value {
    let result: Result<Value, ManagedBackgroundAssetsError> = await withCheckedContinuation { continuation in
      start(name, { continuation.resume(returning: $0) }, body)
    }
    return try result.get()
  }

  /// Starts `body`; `end` gets the outcome, on the same thread.
  static func start<Value: Sendable>(
    _ name: String, _ end: @escaping @Sendable (Result<Value, ManagedBackgroundAssetsError>) -> Void,
    _ body: @escaping @Sendable () throws(ManagedBackgroundAssetsError) -> Value
  ) {
    do throws(SystemFailure) {
      let thread = try SystemThread(name: name) {
        do throws(ManagedBackgroundAssetsError) { end(.success(try body())) } catch { end(.failure(error)) }
      }
      thread.detach()
    } catch {
      end(.failure(ManagedBackgroundAssetsError(error)))
    }
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
