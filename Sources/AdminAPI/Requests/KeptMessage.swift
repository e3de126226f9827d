import HTTPCore
import Synchronization

/// An answer that never changes while the program runs, made when it is first asked for.
final class KeptMessage: Sendable {
  private let kept = Mutex<Message?>(nil)

  func message(_ make: () -> Message) -> Message {
    kept.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      return made
    }
  }
}
