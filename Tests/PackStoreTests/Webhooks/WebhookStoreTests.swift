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

  @Test func aRolloutOfTwoPacksCarriesTheirIds() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let packs = try ["a", "b"].map { try store.createPack(app: app.id, identifier: $0, actor: store.actor) }
    let items = packs.map { ReleaseItem($0.identifier) }
    for pack in packs { try store.makeVersion(pack) }
    _ = try store.release(app: app.id, track: .production, packs: items, actor: store.actor)
    let versions = try packs.map { try store.makeVersion($0).id }
    let webhook = try makeWebhook(store, app: app.id)
    _ = try store.startRollout(app: app.id, track: .production, packs: items, percent: 10, actor: store.actor)
    let sources = try store.webhookSources(webhook, after: webhook.cursor).sources
    let created = try #require(sources.first { $0.record.action == "rollout.create" })
    #expect(created.track == "production")
    #expect(created.packs.map(\.packID) == packs.map(\.id))
    #expect(created.packs.map(\.versionID) == versions)
  }

  /// Names that are words of the log's sentences are names all the same.
  @Test func packsNamedLikeWordsGetTheirOwnEventsOnly() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let webhook = try makeWebhook(store, app: app.id)
    let names = ["rollout", "on", "production", "to", "lane", "review", "submission"]
    var packs: [String: String] = [:]
    for name in names {
      let pack = try store.createPack(app: app.id, identifier: name, actor: store.actor)
      packs[pack.id] = name
      try store.makeVersion(pack)
    }
    let items = names.map { ReleaseItem($0) }
    _ = try store.release(app: app.id, track: .production, packs: items, actor: store.actor)
    try store.makeVersion(try #require(try store.packs(app: app.id, identifier: "on").items.first))
    let rollout = try store.startRollout(
      app: app.id, track: .production, packs: [ReleaseItem("on")], percent: 10, actor: store.actor)
    _ = try store.changeRollout(rollout.id, move: .finish, actor: store.actor)
    _ = try store.createLane(
      app: app.id, track: .production, name: "to", pins: [LanePin("lane", number: 1)], actor: store.actor)
    for source in try store.webhookSources(webhook, after: webhook.cursor).sources {
      let action = source.record.action
      if ["pack", "version", "upload", "release"].contains(String(action.prefix { $0 != "." })) {
        let words = source.record.subject.split(separator: " ")
        #expect(source.packID.flatMap { packs[$0] } == words.first.map { String($0) }, "\(action)")
        #expect((source.versionID == nil) == (words.count == 1), "\(action)")
      } else if action.hasPrefix("rollout.") {
        #expect(source.packID.flatMap { packs[$0] } == "on" && source.versionID != nil, "\(action)")
      } else {
        #expect(source.packs.isEmpty, "\(action) \(source.record.subject)")
      }
    }
  }

  @Test func everyLineSaysWhatItIsAbout() throws {
    let fixture = try ReviewFixture()
    let store = fixture.store
    let version = try fixture.version("a")
    let draft = try fixture.draft(version)
    try fixture.submit(draft.id)
    try fixture.decide(.submission(draft.id), .approve)
    _ = try fixture.version("a")
    _ = try store.createLane(
      app: fixture.app.id, track: .production, name: "1.x", pins: [LanePin("a", number: 1)], actor: store.actor)
    _ = try store.archivePack(try fixture.pack("a").id, confirmedRemovals: ["a"], actor: store.actor)
    let lines = try store.catalog.read { (connection) throws(StoreFailure) in
      try connection.rows("SELECT action, subject_kind, pack_id, version_number, track, submission_id FROM audit") {
        (
          action: $0.text(0), kind: $0.optionalText(1), pack: $0.optionalText(2), number: $0.optionalInteger(3),
          track: $0.optionalText(4), submission: $0.optionalText(5)
        )
      }
    }
    for line in lines {
      #expect(line.kind != nil, "\(line.action)")
      switch line.action.prefix(while: { $0 != "." }) {
      case "pack": #expect(line.pack != nil, "\(line.action)")
      case "version", "upload": #expect(line.pack != nil && line.number != nil, "\(line.action)")
      case "release": #expect(line.pack != nil && line.number != nil && line.track != nil, "\(line.action)")
      case "manifest", "lane": #expect(line.track != nil, "\(line.action)")
      case "reviewSubmission", "reviewItem": #expect(line.submission != nil && line.track != nil, "\(line.action)")
      default: break
      }
    }
    #expect(Set(lines.map(\.action)).isSuperset(of: ["pack.archive", "lane.create", "reviewItem.move"]))
  }

  /// Lines from before the log had ids are still delivered: their sentences are read.
  @Test func oldLinesAreReadByTheirSentences() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "p", actor: store.actor)
    let version = try store.makeVersion(pack)
    let webhook = try makeWebhook(store, app: app.id)
    try store.catalog.write { (connection) throws(StoreFailure) in
      try connection.run(
        """
        INSERT INTO audit (at, actor, action, app_id, subject, before, after)
        VALUES (1, 'old', 'release.move', ?, 'p 1 on beta', 'IN_REVIEW', 'REJECTED')
        """, app.id)
    }
    let source = try #require(try store.webhookSources(webhook, after: webhook.cursor).sources.last)
    #expect((source.packID, source.versionID, source.track) == (pack.id, version.id, "beta"))
    #expect(source.releaseID != nil)
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
