import Synchronization

@testable import PackStore

/// Notes what is live each time that devices are to get something else.
final class ServedStates: StoreObserver {
  private let store: PackStore
  private let note: @Sendable (PackStore) -> String
  private let notes = Mutex<[String]>([])

  /// - Parameter note: what to remember of a moment.
  init(_ store: PackStore, _ note: @escaping @Sendable (PackStore) -> String) {
    self.store = store
    self.note = note
    store.tell(self)
  }

  var all: [String] { notes.withLock { $0 } }

  func servedStateChanged() {
    let text = note(store)
    notes.withLock { $0.append(text) }
  }
}
