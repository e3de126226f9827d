import EventLoop
import Synchronization

/// Runs `body` as a task and waits for it on this thread, which is not one of those that run tasks. What `body` holds
/// is released before this returns, so that no other thread still tears it down while the program ends.
func runBlocking<Value: Sendable>(
  for body: @escaping @Sendable () async throws(CommandFailure) -> Value
) throws(CommandFailure) -> Value {
  let condition = Condition<Result<Value, CommandFailure>?>(nil)
  let work = OneTimeWork(body)
  Task.detached {
    let result = await work.run()
    condition.withLock { $0 = result }
  }
  let result = condition.wait { result in result.map { .ready($0) } ?? .wait }
  return try result.get()
}

/// A closure that is given up by the run that it is for.
private final class OneTimeWork<Value: Sendable>: Sendable {
  typealias Body = @Sendable () async throws(CommandFailure) -> Value
  private let body: Mutex<Body?>

  init(_ body: @escaping Body) { self.body = Mutex(body) }

  func run() async -> Result<Value, CommandFailure> {
    let taken = body.withLock { body in
      let taken = body
      body = nil
      return taken
    }
    guard let taken else { return .failure(CommandFailure("The work was started twice.", .software)) }
    do throws(CommandFailure) { return .success(try await taken()) } catch { return .failure(error) }
  }
}
