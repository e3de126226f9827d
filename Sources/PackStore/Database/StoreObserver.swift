/// Somebody who is told of the changes of a store: after the commit, and on the thread that made the change.
package protocol StoreObserver: AnyObject, Sendable {
  /// A change was kept. Must not wait.
  func changeWasKept()

  /// What devices get of some app has changed. Returns when they get it.
  func servedStateChanged()

  /// The copies of an app below `published/` could not be written. The change itself stands, and the copies are written
  /// with the next one or by ``PackStore/writeMissingPublications()``.
  func publicationFailed(app bundleID: String, _ failure: StoreFailure)
}

extension StoreObserver {
  package func changeWasKept() {}
  package func servedStateChanged() {}
  package func publicationFailed(app bundleID: String, _ failure: StoreFailure) {}
}

/// An observer that may be gone.
struct ObserverReference {
  weak var observer: (any StoreObserver)?
}
