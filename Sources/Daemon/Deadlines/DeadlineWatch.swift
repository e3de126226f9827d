import AssetPacks
import EventLoop
import Glibc
import Observability
import PackStore
import Synchronization
import SystemIO

/// Looks every so often for what sits in its state for too long, on a thread of its own. What was told once for a stay
/// is not told again, also after a restart.
final class DeadlineWatch: Sendable {
  private struct State {
    var counts: [OverdueState.Kind: Int] = [:]
    var thread: SystemThread?
  }

  private let store: PackStore
  private let deadlines: Deadlines
  private let interval: Int64
  private let log: Log
  private let state = Mutex(State())
  private let stopFlag = Atomic<Bool>(false)
  private let wakeUp: WakeUp

  /// Starts the thread, which looks at once and then every `interval` seconds.
  init(store: PackStore, deadlines: Deadlines, interval: Int64, log: Log) throws(SystemFailure) {
    self.store = store
    self.deadlines = deadlines
    self.interval = interval
    self.log = log
    wakeUp = try WakeUp()
    let started = try SystemThread(name: "deadlines") { [weak self] in self?.run() }
    state.withLock { $0.thread = started }
  }

  /// How much of each kind is stuck, as of the last look.
  var counts: [OverdueState.Kind: Int] { state.withLock { $0.counts } }

  /// Ends the thread and waits for it.
  func stop() {
    stopFlag.store(true, ordering: .relaxed)
    wakeUp.signal()
    let running = state.withLock { state in
      let running = state.thread
      state.thread = nil
      return running
    }
    running?.join()
  }

  private func run() {
    let pause = Int32(clamping: interval.multipliedReportingOverflow(by: 1000).partialValue)
    while !stopFlag.load(ordering: .relaxed) {
      look()
      // Until it is time, or somebody wants the end; a signal in between costs a look more.
      var wait = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&wait, 1, max(1, pause))
    }
  }

  private func look() {
    do throws(StoreFailure) {
      let (stuck, new) = try store.checkDeadlines(deadlines)
      state.withLock { $0.counts = Dictionary(stuck.map { ($0.kind, 1) }, uniquingKeysWith: +) }
      for stay in new { log.notice("\(stay.subject) is stuck: \(stay.reason)") }
    } catch {
      log.error("Deadlines could not be checked: \(error.sentence)")
    }
  }
}
