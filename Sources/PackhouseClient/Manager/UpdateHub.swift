import Synchronization

/// Hands what happens to everybody who listens.
final class UpdateHub<Element: Sendable>: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
  }
  private let state = Mutex(State())

  /// What happens from now on, until the listener stops or this hub goes away.
  func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  func send(_ element: Element) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(element) }
  }

  /// Lets all who listen come to an end, after what was sent before.
  func finish() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }

  deinit { finish() }
}
