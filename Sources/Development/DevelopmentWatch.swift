import Daemon
import EventLoop
import Glibc
import Packing
import Synchronization
import SystemIO

/// Publishes again when a pack's files change, on a thread of its own. It waits until nothing was written for a moment
/// and no written file is still open, so that half a file never becomes a version.
final class DevelopmentWatch: Sendable {
  /// Milliseconds without a change before anything is built.
  private static let quiet: Int64 = 300
  /// Milliseconds after which a file that is still open is built all the same.
  private static let patience: Int64 = 60_000

  private let publishing: DevelopmentPublishing
  private let tell: @Sendable (String) -> Void
  private let end: WakeUp
  private let thread = Mutex<SystemThread?>(nil)

  /// `tell` gets a line for the person whenever something was built or could not be.
  init(_ publishing: DevelopmentPublishing, tell: @escaping @Sendable (String) -> Void) throws(SystemFailure) {
    self.publishing = publishing
    self.tell = tell
    end = try WakeUp()
  }

  /// Starts the thread.
  func start() throws(SystemFailure) {
    let started = try SystemThread(name: "watch") { [weak self] in self?.run() }
    thread.withLock { $0 = started }
  }

  /// Waits for the thread, which ends soon after the publishing was cancelled. Does nothing before ``start()``.
  func join() {
    end.signal()
    let running = thread.withLock { thread in
      let running = thread
      thread = nil
      return running
    }
    running?.join()
  }

  private func run() {
    do throws(SystemFailure) {
      try watch()
    } catch {
      tell("The files are no longer watched: \(error.sentence) Restart packhouse dev.")
    }
  }

  private func watch() throws(SystemFailure) {
    var folders = try FolderWatch()
    let poller = try Poller()
    try poller.addLevel(folders.descriptor, token: 0)
    try poller.addLevel(end.descriptor, token: 1)
    var watched = publishing.watched
    folders.follow(watched.folders)
    // What changed before the folders were watched.
    var changed: Int64? = Self.now
    while !publishing.isCancelled {
      poller.wait(milliseconds: 200) { _ in }
      let changes = folders.take()
      // Other files may stand in the same folders and be written to all the time.
      if changes.isStructural || !changes.written.isDisjoint(with: watched.files) { changed = Self.now }
      guard let last = changed, Self.now - last >= Self.quiet else { continue }
      watched = publishing.watched
      folders.follow(watched.folders)
      if !changes.open.isDisjoint(with: watched.files) {
        if Self.now - last < Self.patience { continue }
        folders.forgetOpenFiles()
      }
      changed = build() ? nil : Self.now
      watched = publishing.watched
      folders.follow(watched.folders)
    }
  }

  /// False when files changed while they were read, so that it has to be done once more.
  private func build() -> Bool {
    do throws(DaemonFailure) {
      guard let published = try publishing.publishUnlessChanging() else { return false }
      for pack in published { tell("\(pack.assetPackIdentifier) version \(pack.number) is live") }
    } catch {
      if publishing.isCancelled { return true }
      tell("Nothing was published, and devices get what they got before: \(error.sentence)")
    }
    return true
  }

  private static var now: Int64 { MonotonicClock.system.now() / 1_000_000 }
}
