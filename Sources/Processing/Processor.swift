import EventLoop
import Observability
import PackStore
import Synchronization
import SystemIO

/// Takes committed uploads to COMPLETE or FAILED, one after the other, on a thread of its own. Work in progress when
/// the daemon ended is started again: every step may be repeated.
package final class Processor: Sendable {
  private struct State: Sendable {
    /// Somebody asked to check for waiting versions.
    var isWanted = false
    var isBusy = false
    var isStopped = false
    /// The version whose result is already in the catalog, while devices may not get it yet.
    var settling: String?
    /// Monotonic nanoseconds since which something waits that the disk or the catalog held up.
    var heldUpSince: Int64?
  }

  private let store: PackStore
  private let limits: ProcessingLimits
  private let log: Log
  private let failed: @Sendable (_ code: String) -> Void
  private let state = Condition(State())
  private let stopFlag = StopFlag()
  private let thread: Mutex<SystemThread?>

  /// Starts the thread. `failed` is called with the codes of each version that did not become COMPLETE.
  package init(
    store: PackStore, limits: ProcessingLimits, log: Log, failed: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SystemFailure) {
    self.store = store
    self.limits = limits
    self.log = log
    self.failed = failed
    thread = Mutex(nil)
    let started = try SystemThread(name: "processor") { [weak self] in self?.run() }
    thread.withLock { $0 = started }
  }

  /// Checks for committed versions soon.
  package func wake() { state.withLock { $0.isWanted = true } }

  /// Retries what the disk or the catalog held up, once a minute; called every few seconds.
  package func retry() {
    let now = MonotonicClock.system.now()
    state.withLock { state in
      guard let since = state.heldUpSince, now - since >= Self.retryPause else { return }
      state.heldUpSince = nil
      state.isWanted = true
    }
  }

  /// Waits until devices get what the catalog says about the version. Short: a publish takes milliseconds.
  package func waitUntilSettled(version id: String) {
    state.wait { $0.settling != id ? .ready(()) : .wait }
  }

  /// Waits until nothing is left to process.
  package func waitUntilIdle() {
    state.wait { $0.isStopped || !$0.isBusy && !$0.isWanted ? .ready(()) : .wait }
  }

  /// Stops the work in progress, which a later start begins again, and waits for the thread.
  package func stop() {
    stopFlag.raise()
    state.withLock { $0.isStopped = true }
    let running = thread.withLock { thread in
      let running = thread
      thread = nil
      return running
    }
    running?.join()
  }

  private func run() {
    while true {
      let goesOn = state.wait { state -> Condition<State>.Finding<Bool> in
        if state.isStopped { return .ready(false) }
        guard state.isWanted else { return .wait }
        state.isWanted = false
        state.isBusy = true
        return .ready(true)
      }
      guard goesOn else { return }
      processWaiting()
      state.withLock { $0.isBusy = false }
    }
  }

  private func processWaiting() {
    do throws(StoreFailure) {
      for version in try store.failAbandonedUploads(reservedBefore: WallClock.system.now() - Self.uploadTime) {
        log.notice("\(version.assetPackIdentifier) version \(version.number) FAILED: its upload was never committed")
      }
      for version in try store.versionsInProcessing() {
        if stopFlag.isRaised { return }
        process(version)
      }
    } catch {
      log.error("The versions that are waiting for processing could not be read: \(error.sentence)")
      isHeldUp()
    }
  }

  private func process(_ version: VersionRecord) {
    let name = "\(version.assetPackIdentifier) version \(version.number)"
    do throws(StoreFailure) {
      guard let upload = try store.upload(version: version.id) else { return }
      // A version that crashes the process each time must not crash it without end.
      let attempt = try store.beginProcessingAttempt(version: version.id)
      let verdict: Verdict
      if attempt > Self.attempts {
        verdict = .failed([
          VersionMessage(
            .error, code: "PROCESSING_CRASHED",
            description: "The server crashed \(Self.attempts) times while processing this archive; "
              + "keep the file and report it with the server's log.")
        ])
      } else {
        verdict = try Examination(store: store, limits: limits, stop: stopFlag).examine(version, upload)
      }
      try settle(version, upload, verdict, name)
    } catch {
      // The disk is at fault, not the archive: this attempt did not crash the process.
      try? store.forgetProcessingAttempts(version: version.id)
      log.error("\(name) is still in PROCESSING and is tried again in a minute: \(error.sentence)")
      isHeldUp()
    }
  }

  private func isHeldUp() { state.withLock { $0.heldUpSince = MonotonicClock.system.now() } }

  /// Nanoseconds until what was held up is tried again.
  private static let retryPause: Int64 = 60_000_000_000

  private static let attempts = 3
  /// How long an upload may stay uncommitted after its reservation, in seconds.
  private static let uploadTime: Int64 = 7 * 86_400

  private func settle(
    _ version: VersionRecord, _ upload: UploadRecord, _ verdict: Verdict, _ name: String
  ) throws(StoreFailure) {
    switch verdict {
    case .stopped:
      try store.forgetProcessingAttempts(version: version.id)
    case .failed(let messages):
      _ = try store.failProcessing(version: version.id, messages: messages)
      try store.forgetProcessingAttempts(version: version.id)
      for message in messages where message.level == .error {
        failed(message.code)
        log.notice("\(name) FAILED: \(message.description)")
      }
    case .passed(let facts):
      try store.adoptUpload(upload.id, sha256: facts.sha256, size: facts.size)
      state.withLock { $0.settling = version.id }
      defer { state.withLock { $0.settling = nil } }
      let settled = try store.completeProcessing(version: version.id, facts: facts)
      try store.forgetProcessingAttempts(version: version.id)
      guard settled.state == .complete else { return log.notice("\(name) FAILED: its pack was archived") }
      log.notice("\(name) is COMPLETE: \(facts.size) bytes, \(facts.installSize) installed")
    }
  }
}

/// The result of an examination.
enum Verdict {
  case passed(ProcessingFacts)
  case failed([VersionMessage])
  /// It was interrupted; nothing is known yet.
  case stopped
}
