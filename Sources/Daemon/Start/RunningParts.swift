import Synchronization

/// The parts of a program that run by now, each with how it ends. A thread that still runs while the program ends uses
/// what the program's libraries tear down, so every part is stopped on every way out, a failed start included.
package final class RunningParts: Sendable {
  private let ends = Mutex<[@Sendable () -> Void]>([])

  package init() {}

  /// Adds a part that has just been started. `end` stops it and waits for its threads.
  package func add(_ end: @escaping @Sendable () -> Void) { ends.withLock { $0.append(end) } }

  /// Ends the parts, the one that was started last first, and returns when none runs any more. A second call finds
  /// nothing to end.
  package func stop() {
    while let end = ends.withLock({ $0.popLast() }) { end() }
  }
}
