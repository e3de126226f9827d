import Synchronization

/// How many manifests a store has rendered since it was opened.
package final class RenderCount: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }
}
