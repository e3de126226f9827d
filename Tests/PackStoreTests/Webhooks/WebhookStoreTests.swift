import Testing

@testable import PackStore

@Suite final class WebhookStoreTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  private func makeWebhook(_ store: PackStore, app: String? = nil) throws -> WebhookRecord {
    try store.createWebhook(
      app: app, name: "w", url: "https://hooks.example.com/", secret: "0123456789abcdef", events: ["A", "B"],
      enabled: true, actor: store.actor)
  }

  @Test func aWebhookBeginsWithWhatHappensNext() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let other = try store.makeApp("com.example.other")
    let webhook = try makeWebhook(store, app: app.id)
    #expect(webhook.events == ["A", "B"])
    let pack = try store.createPack(app: app.id, identifier: "p", actor: store.actor)
    _ = try store.createPack(app: other.id, identifier: "q", actor: store.actor)
    let version = try store.makeVersion(pack)
    let (sources, cursor) = try store.webhookSources(webhook, after: webhook.cursor)
    #expect(!sources.contains { $0.record.appID != app.id })
    #expect(sources.first?.record.action == "webhook.create")
    let move = try #require(sources.last { $0.record.action == "version.move" })
    #expect((move.packID, move.versionID, move.bundleID) == (pack.id, version.id, "com.example.game"))
    let release = try #require(sources.first { $0.record.action == "release.create" })
    #expect(release.track == "internal")
    #expect(release.versionID == version.id)
    #expect(release.releaseID != nil)
    #expect(cursor == (try store.auditLog().items.first?.number))
    #expect(try store.webhookSources(webhook, after: cursor).sources.isEmpty)
  }

  @Test func deliveriesComeInOrderAndOneThatFailsHoldsTheOthersUp() throws {
    let store = try temporary.open()
    let webhook = try makeWebhook(store)
    try store.addWebhookDeliveries(
      [.init(id: "1", event: "A", body: "{}"), .init(id: "2", event: "B", body: "{}")], to: webhook, cursor: 5)
    #expect(try store.webhook(webhook.id).cursor == 5)
    let first = try #require(try store.pendingWebhookDelivery(webhook.id))
    #expect(first.id == "1")
    #expect(try store.webhookFailed(first, status: 500, error: "no", pause: 30, limit: 100) == false)
    let again = try #require(try store.pendingWebhookDelivery(webhook.id))
    #expect((again.id, again.attempts, again.nextAttempt, again.responseStatus) == ("1", 1, 1_800_000_030, 500))
    try store.webhookDelivered(again, status: 200)
    #expect(try store.pendingWebhookDelivery(webhook.id)?.id == "2")
    #expect(try store.webhookDeliveries(webhook: webhook.id, state: .succeeded).items.map(\.id) == ["1"])
    #expect(try store.pendingWebhookDeliveryCount() == 1)
  }

  /// Lets the oldest delivery fail once; whether that switched the webhook off.
  private func fail(_ store: PackStore, _ webhook: WebhookRecord) throws -> Bool {
    let delivery = try #require(try store.pendingWebhookDelivery(webhook.id))
    return try store.webhookFailed(delivery, status: nil, error: "no", pause: 1, limit: 100)
  }

  @Test func failingForTooLongSwitchesItOffAndOnAgainItGoesOn() throws {
    let store = try temporary.open()
    let webhook = try makeWebhook(store)
    try store.addWebhookDeliveries([.init(id: "1", event: "A", body: "{}")], to: webhook, cursor: 5)
    #expect(try fail(store, webhook) == false)
    temporary.time.advance(99)
    #expect(try fail(store, webhook) == false)
    temporary.time.advance(1)
    #expect(try fail(store, webhook))
    let off = try store.webhook(webhook.id)
    #expect((off.isEnabled, off.disabledReason) == (false, "no"))
    #expect(try store.enabledWebhooks().isEmpty)
    let line = try #require(try store.auditLog().items.first)
    #expect((line.action, line.actor.name, line.reason) == ("webhook.disable", "packhouse", "no"))
    #expect(throws: StoreFailure.self) {
      _ = try store.addWebhookDelivery(
        .init(id: "3", event: "A", body: ""), webhook: webhook.id, isRedelivery: false, actor: store.actor)
    }
    let on = try store.updateWebhook(webhook.id, enabled: true, actor: store.actor)
    #expect((on.isEnabled, on.disabledReason) == (true, nil))
    #expect(try fail(store, webhook) == false)
    #expect(try store.giveUpWebhookDelivery("1", actor: store.actor).state == .failed)
    #expect(try store.pendingWebhookDelivery(webhook.id) == nil)
  }

  @Test func theLogOfDeliveriesIsBounded() throws {
    let store = try temporary.open()
    let webhook = try makeWebhook(store)
    let many = (0..<600).map { NewWebhookDelivery(id: "\($0)", event: "A", body: "{}") }
    try store.addWebhookDeliveries(many, to: webhook, cursor: 5)
    for _ in 0..<550 {
      try store.webhookDelivered(try #require(try store.pendingWebhookDelivery(webhook.id)), status: 200)
    }
    let page = try store.webhookDeliveries(webhook: webhook.id, page: PageRequest(limit: 1))
    #expect(page.total == 550)
    #expect(try store.webhookDeliveries(webhook: webhook.id, state: .pending).total == 50)
    try store.removeWebhook(webhook.id, actor: store.actor)
    #expect(try store.pendingWebhookDeliveryCount() == 0)
  }
}
