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

  /// Adds a letter and wakes the loop when the box was empty; false when nobody will read it any more.
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
