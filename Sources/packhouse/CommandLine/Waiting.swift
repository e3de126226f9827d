import EventLoop

/// Runs `body` as a task and waits for it on this thread, which is not one of those that run tasks.
func waiting<Value: Sendable>(
  for body: @escaping @Sendable () async throws(CommandFailure) -> Value
) throws(CommandFailure) -> Value {
  let condition = Condition<Result<Value, CommandFailure>?>(nil)
  Task.detached {
    let result: Result<Value, CommandFailure>
    do throws(CommandFailure) { result = .success(try await body()) } catch { result = .failure(error) }
    condition.withLock { $0 = result }
  }
  let result = condition.wait { result in result.map { .ready($0) } ?? .wait }
  return try result.get()
}
