import Synchronization

/// What the outside says to a download that runs on a thread of its own.
final class DownloadControl: Sendable {
  private let flag = Atomic(false)

  /// Ends the download at the next piece; what came is kept.
  func stop() { flag.store(true, ordering: .relaxed) }

  var isStopped: Bool { flag.load(ordering: .relaxed) }

  func check() throws(ManagedBackgroundAssetsError) {
    if isStopped { throw .cancelled }
  }
}
