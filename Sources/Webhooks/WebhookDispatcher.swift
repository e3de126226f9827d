import EventLoop
import Observability
import PackStore
import Synchronization
import SystemIO
import TLS

/// Sends what happens to webhooks, on a thread of its own: at least once, and for each webhook in the order in which it
/// happened. What was not acknowledged when the daemon ended is sent again after its next start.
package final class WebhookDispatcher: StoreObserver {
  private let store: PackStore
  private let rules: WebhookRules
  private let log: Log
  private let clock: WallClock
  private let tls: ClientTLS
  private let userAgent: String
  private let work: WakeUp
  private let end: WakeUp
  private let isStopping = Atomic<Bool>(false)
  private let thread = Mutex<SystemThread?>(nil)
  private let arrived = Atomic<Int>(0)
  private let failed = Atomic<Int>(0)
  private let disabled = Atomic<Int>(0)

  /// Deliveries of one webhook before the others have their turn, and how long they may take: a receiver that answers
  /// slowly holds the others up for that and one attempt.
  private static let turn = 50
  private static let turnTime = Duration.seconds(1)
  /// Milliseconds after which it looks again though nobody called.
  private static let longestWait: Int64 = 30_000
  /// Lines of the audit log without an event for a webhook after which its cursor is moved in the catalog.
  private static let unsavedLines: Int64 = 1000

  /// Nothing is sent before ``start()``.
  package init(
    store: PackStore, rules: WebhookRules, userAgent: String, log: Log, clock: WallClock = .system
  ) throws(WebhookStartFailure) {
    self.store = store
    self.rules = rules
    self.userAgent = userAgent
    self.log = log
    self.clock = clock
    do throws(TLSFailure) { tls = try ClientTLS(trust: rules.trust) } catch { throw .tls(error) }
    do throws(SystemFailure) {
      work = try WakeUp()
      end = try WakeUp()
    } catch { throw .system(error) }
    store.tell(self)
  }

  /// Starts the thread, which looks for work at once.
  package func start() throws(SystemFailure) {
    let started = try SystemThread(name: "webhooks") { [weak self] in self?.run() }
    thread.withLock { $0 = started }
  }

  /// Looks for work soon. Does not wait.
  package func wake() { work.signal() }

  package func changeWasKept() { wake() }

  /// Breaks off the attempt in hand, and waits for the thread. What was broken off is sent again after the next start.
  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    end.signal()
    work.signal()
    let running = thread.withLock { thread in
      let running = thread
      thread = nil
      return running
    }
    running?.join()
  }

  /// Attempts that arrived and that failed, and webhooks that were switched off, since the start.
  package var counts: (arrived: Int, failed: Int, disabled: Int) {
    (
      arrived.load(ordering: .relaxed), failed.load(ordering: .relaxed), disabled.load(ordering: .relaxed)
    )
  }

  private func run() {
    do throws(SystemFailure) {
      try serve()
    } catch {
      log.error("Webhooks are not served: \(error.sentence)")
    }
  }

  private func serve() throws(SystemFailure) {
    let poller = try Poller()
    try poller.addLevel(work.descriptor, token: 0)
    // Cursors that have moved over lines without an event, which need not be kept.
    var cursors: [String: Int64] = [:]
    while !isStopping.load(ordering: .relaxed) {
      let wait = round(&cursors)
      if wait > 0 { poller.wait(milliseconds: Int32(clamping: wait)) { _ in } }
      work.clear()
    }
  }

  /// One round: a turn for each webhook.
  ///
  /// - Returns: milliseconds until the next round; 0 when there is more to do.
  private func round(_ cursors: inout [String: Int64]) -> Int64 {
    let webhooks: [WebhookRecord]
    do throws(StoreFailure) { webhooks = try store.enabledWebhooks() } catch {
      log.error("The webhooks could not be read: \(error.sentence)")
      return Self.longestWait
    }
    cursors = cursors.filter { entry in webhooks.contains { $0.id == entry.key } }
    var wait = Self.longestWait
    for webhook in webhooks {
      if isStopping.load(ordering: .relaxed) { return 0 }
      do throws(StoreFailure) {
        wait = min(wait, try serve(webhook.id, &cursors))
      } catch {
        // It was removed just now.
        if case .notFound = error { continue }
        log.error("The webhook \(webhook.name) could not be served: \(error.sentence)")
        wait = min(wait, 5000)
      }
    }
    return wait
  }

  /// - Returns: milliseconds until the webhook wants another turn.
  private func serve(_ id: String, _ cursors: inout [String: Int64]) throws(StoreFailure) -> Int64 {
    let end = ContinuousClock.now + Self.turnTime
    for _ in 0..<Self.turn {
      if isStopping.load(ordering: .relaxed) || .now > end { return 0 }
      // Read each time: it may be changed or removed at any moment.
      let webhook = try store.webhook(id)
      guard webhook.isEnabled else { return Self.longestWait }
      guard let delivery = try store.pendingWebhookDelivery(id) else {
        guard try fill(webhook, &cursors) else { return Self.longestWait }
        continue
      }
      let left = delivery.nextAttempt - clock.now()
      // No pause is longer: a clock that was put back must not stop deliveries.
      guard left <= 0 || left > WebhookRules.longestPause else { return min(Self.longestWait, left * 1000) }
      guard try attempt(delivery, webhook) else { return 0 }
    }
    return 0
  }

  /// Turns the next lines of the audit log into deliveries; false when there are no more lines.
  private func fill(_ webhook: WebhookRecord, _ cursors: inout [String: Int64]) throws(StoreFailure) -> Bool {
    let start = max(webhook.cursor, cursors[webhook.id] ?? 0)
    let (sources, cursor) = try store.webhookSources(webhook, after: start)
    guard cursor > start else { return false }
    var deliveries: [NewWebhookDelivery] = []
    for source in sources {
      for event in WebhookPayload.events(of: source) where webhook.events.contains(event.rawValue) {
        let id = try newDeliveryID()
        deliveries.append(
          NewWebhookDelivery(
            id: id, event: event.rawValue, body: WebhookPayload.body(event, id: id, source: source)))
      }
    }
    if deliveries.isEmpty, cursor - webhook.cursor < Self.unsavedLines {
      cursors[webhook.id] = cursor
    } else {
      try store.addWebhookDeliveries(deliveries, to: webhook, cursor: cursor)
    }
    return true
  }

  /// False when the webhook has to wait.
  private func attempt(_ delivery: WebhookDeliveryRecord, _ webhook: WebhookRecord) throws(StoreFailure) -> Bool {
    let sender = WebhookSender(rules: rules, tls: tls, userAgent: userAgent, cancellation: end.descriptor)
    switch sender.send(delivery, to: webhook, now: clock.now()) {
    case .stopped: return false
    case .arrived(let status):
      arrived.wrappingAdd(1, ordering: .relaxed)
      try store.webhookDelivered(delivery, status: status)
      return true
    case .failed(let status, let reason):
      failed.wrappingAdd(1, ordering: .relaxed)
      let wasSwitchedOff = try store.webhookFailed(
        delivery, status: status, error: reason, pause: rules.pause(after: delivery.attempts + 1),
        limit: rules.retryFor)
      log.info("The webhook \(webhook.name) did not accept \(delivery.event): \(reason)")
      if wasSwitchedOff {
        disabled.wrappingAdd(1, ordering: .relaxed)
        log.error(
          "The webhook \(webhook.name) failed for too long and is turned off; its events wait. Last error: \(reason)"
        )
      }
      return false
    }
  }
}

/// Why the dispatcher could not be started.
package enum WebhookStartFailure: Error, Sendable {
  case tls(TLSFailure)
  case system(SystemFailure)

  package var sentence: String {
    switch self {
    case .tls(let failure): failure.sentence
    case .system(let failure): failure.sentence
    }
  }
}

/// A new id of a delivery.
package func newDeliveryID() throws(StoreFailure) -> String {
  do throws(SystemFailure) { return try randomUUID() } catch { throw .system(error) }
}
