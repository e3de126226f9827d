/// Hears of the changes of a store: after the commit, on the thread that made the change.
package protocol StoreObserver: AnyObject, Sendable {
  /// A change was committed. Must not block.
  func changeWasKept()

  /// What devices get of some app has changed. Returns once they get it.
  func servedStateChanged()

  /// The copies of an app below `published/` could not be written. The change itself is committed; the copies are
  /// written with the next one or by ``PackStore/writeMissingPublications()``.
  func publicationFailed(app bundleID: String, _ failure: StoreFailure)
}

extension StoreObserver {
  package func changeWasKept() {}
  package func servedStateChanged() {}
  package func publicationFailed(app bundleID: String, _ failure: StoreFailure) {}
}

/// A weak reference to an observer.
struct ObserverReference {
  weak var observer: (any StoreObserver)?
}
