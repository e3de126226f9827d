import Synchronization

/// What a request attaches to the change that it makes: a condition that must hold at that moment, and a key that is
/// kept with the change, so that a repeat of the request finds it.
///
/// Both are handled inside the transaction of the request's first change: no other change can come between the
/// condition and the change, and no crash between the change and the key.
package final class RequestConditions: Sendable {
  /// Throws when the change must not be made. It may read the store, which then cannot change.
  private let condition: @Sendable () throws(StoreFailure) -> Void
  let key: IdempotencyKey?
  private let isDone = Mutex(false)

  package init(
    key: IdempotencyKey? = nil, condition: @escaping @Sendable () throws(StoreFailure) -> Void = {}
  ) {
    self.key = key
    self.condition = condition
  }

  /// Whether a change of the request was committed.
  package var wasChanged: Bool { isDone.withLock { $0 } }

  /// At the beginning of the transaction.
  func begin() throws(StoreFailure) {
    if !wasChanged { try condition() }
  }

  /// At its end. `subject` is the id of the record that the change is about.
  func end(_ connection: CatalogConnection, subject: String?, now: Int64) throws(StoreFailure) {
    guard let key, !wasChanged else { return }
    try connection.keep(key, subject: subject, now: now)
  }

  /// After it was committed.
  func changed() { isDone.withLock { $0 = true } }
}
