import Synchronization

/// Asks a thread to break off what it does; the thread looks now and then.
package final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isRaised: Bool { flag.load(ordering: .relaxed) }

  package func raise() { flag.store(true, ordering: .relaxed) }
}
