import CLinux
import Glibc
import Synchronization
import SystemIO

/// Messages for one loop from any thread. The loop adds `descriptor` to its poller and calls
/// `takeAll` when that becomes readable.
package final class Mailbox<Letter: Sendable>: Sendable {
  private struct State {
    var letters: [Letter] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wakeUp: WakeUp

  /// Throws when the process has no descriptor left.
  package init() throws(SystemFailure) { wakeUp = try WakeUp() }

  /// The number to add to a `Poller`.
  package var descriptor: Int32 { wakeUp.descriptor }

  /// Adds a letter and wakes the loop when the box was empty; false when the loop reads no more.
  @discardableResult
  package func post(_ letter: Letter) -> Bool {
    let (isOpen, wasEmpty) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.letters.append(letter)
      return (true, state.letters.count == 1)
    }
    if wasEmpty { wakeUp.signal() }
    return isOpen
  }

  /// Empties the box, oldest letter first.
  package func takeAll() -> [Letter] {
    wakeUp.clear()
    return state.withLock { Self.empty(&$0) }
  }

  /// Takes the last letters and refuses all later ones.
  package func close() -> [Letter] {
    state.withLock { state in
      state.isClosed = true
      return Self.empty(&state)
    }
  }

  private static func empty(_ state: inout State) -> [Letter] {
    let taken = state.letters
    state.letters = []
    return taken
  }
}

/// An eventfd by which any thread wakes a loop.
package struct WakeUp: ~Copyable, Sendable {
  private let counter: FileDescriptor

  /// Throws when the process has no descriptor left.
  package init() throws(SystemFailure) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw SystemFailure("eventfd") }
    counter = FileDescriptor(owning: raw)
  }

  /// The number to add to a `Poller`.
  package var descriptor: Int32 { counter.raw }

  /// Makes the descriptor readable. Safe from any thread.
  package func signal() {
    var one: UInt64 = 1
    _ = write(counter.raw, &one, 8)
  }

  /// Makes the descriptor quiet again.
  package func clear() {
    var count: UInt64 = 0
    _ = read(counter.raw, &count, 8)
  }
}
