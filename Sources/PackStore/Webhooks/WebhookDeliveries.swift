// What is on its way to webhooks. The audit log is the outbox: a webhook's cursor says how far it has been turned into
// deliveries, and both move in one transaction.
extension PackStore {
  /// Finished deliveries that are kept for each webhook.
  private static let keptDeliveries = 500

  /// The webhooks that are switched on.
  package func enabledWebhooks() throws(StoreFailure) -> [WebhookRecord] {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.webhooks("enabled = 1 ORDER BY seq").map(\.item)
    }
  }

  /// The next lines of the audit log behind the line `cursor`, those of other apps left out, and the number that the
  /// webhook's cursor may move to when they are turned into deliveries.
  package func webhookSources(
    _ webhook: WebhookRecord, after cursor: Int64, limit: Int = 200
  ) throws(StoreFailure) -> (sources: [WebhookSource], cursor: Int64) {
    try catalog.read { (connection) throws(StoreFailure) in
      let lines = try connection.rows(
        "SELECT \(CatalogConnection.auditColumns) FROM audit WHERE seq > ? ORDER BY seq LIMIT ?", cursor, limit,
        make: CatalogConnection.audit)
      var sources: [WebhookSource] = []
      for line in lines where webhook.appID == nil || webhook.appID == line.appID {
        sources.append(try connection.webhookSource(line))
      }
      return (sources, lines.last?.number ?? cursor)
    }
  }

  /// Keeps deliveries and moves the webhook's cursor, in one transaction.
  package func addWebhookDeliveries(
    _ deliveries: [NewWebhookDelivery], to webhook: WebhookRecord, cursor: Int64
  ) throws(StoreFailure) {
    let now = now()
    try catalog.write { (connection) throws(StoreFailure) in
      for delivery in deliveries {
        try connection.add(delivery, webhook: webhook.id, isRedelivery: false, now: now)
      }
      try connection.run("UPDATE webhooks SET cursor = max(cursor, ?) WHERE id = ?", cursor, webhook.id)
    }
  }

  /// Adds one delivery behind those that wait: a ping, or an old one again.
  package func addWebhookDelivery(
    _ delivery: NewWebhookDelivery, webhook id: String, isRedelivery: Bool, actor: Actor
  ) throws(StoreFailure) -> WebhookDeliveryRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let webhook = try change.connection.webhook(id)
      guard webhook.isEnabled else {
        throw .stateNotAllowed(
          subject: "The webhook \(webhook.name)", state: "disabled", move: "a delivery", legalMoves: ["enable"])
      }
      try change.connection.add(delivery, webhook: id, isRedelivery: isRedelivery, now: change.now)
      try change.audit(
        isRedelivery ? "webhook.redeliver" : "webhook.ping", app: webhook.appID, subject: .text(webhook.name),
        after: delivery.id)
      return try change.connection.webhookDelivery(delivery.id)
    }
  }

  /// The oldest delivery of a webhook that has not arrived yet.
  package func pendingWebhookDelivery(_ webhook: String) throws(StoreFailure) -> WebhookDeliveryRecord? {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.webhookDeliveries(
        "webhook_id = ? AND state = 'PENDING' ORDER BY seq LIMIT 1", webhook
      ).first?.item
    }
  }

  /// How many deliveries wait, over all webhooks.
  package func pendingWebhookDeliveryCount() throws(StoreFailure) -> Int {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.first("SELECT count(*) FROM webhook_deliveries WHERE state = 'PENDING'") { $0.number(0) } ?? 0
    }
  }

  /// The delivery of that id.
  package func webhookDelivery(_ id: String) throws(StoreFailure) -> WebhookDeliveryRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.webhookDelivery(id) }
  }

  /// The deliveries of a webhook, the newest first.
  package func webhookDeliveries(
    webhook: String, state: WebhookDeliveryState? = nil, page: PageRequest = .init()
  ) throws(StoreFailure) -> Page<WebhookDeliveryRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.webhook(webhook)
      let rows = try connection.webhookDeliveries(
        "webhook_id = ?1 AND (?2 IS NULL OR state = ?2) AND seq < ?3 ORDER BY seq DESC LIMIT ?4", webhook, state,
        page.after ?? Int64.max, page.limit + 1)
      let total = try connection.first(
        "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?1 AND (?2 IS NULL OR state = ?2)", webhook, state
      ) { $0.number(0) }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// Notes that a delivery has arrived, and forgets the oldest ones that have.
  package func webhookDelivered(_ delivery: WebhookDeliveryRecord, status: Int) throws(StoreFailure) {
    let now = now()
    try catalog.write { (connection) throws(StoreFailure) in
      try connection.run(
        """
        UPDATE webhook_deliveries SET state = 'SUCCEEDED', attempts = attempts + 1, last_attempt = ?2,
          first_attempt = coalesce(first_attempt, ?2), response_status = ?3, error = NULL
        WHERE id = ?1
        """, delivery.id, now, status)
      try connection.run(
        """
        DELETE FROM webhook_deliveries WHERE webhook_id = ?1 AND state <> 'PENDING' AND seq <= (
          SELECT seq FROM webhook_deliveries WHERE webhook_id = ?1 AND state <> 'PENDING'
          ORDER BY seq DESC LIMIT 1 OFFSET ?2)
        """, delivery.webhookID, Self.keptDeliveries)
    }
  }

  /// Gives up a delivery that waits, so that those behind it go on.
  package func giveUpWebhookDelivery(_ id: String, actor: Actor) throws(StoreFailure) -> WebhookDeliveryRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let delivery = try connection.webhookDelivery(id)
      guard delivery.state == .pending else {
        throw .stateNotAllowed(
          subject: "The delivery \(id)", state: delivery.state.rawValue, move: "giving it up", legalMoves: [])
      }
      let webhook = try connection.webhook(delivery.webhookID)
      try connection.run("UPDATE webhook_deliveries SET state = 'FAILED' WHERE id = ?", id)
      try change.audit(
        "webhook.giveUp", app: webhook.appID, subject: .text(webhook.name), before: delivery.event, after: id)
      return try connection.webhookDelivery(id)
    }
  }

  /// Notes a failed attempt. The webhook is switched off when attempts have failed for `limit` seconds or longer; the
  /// delivery waits then for it to be switched on again.
  ///
  /// - Parameter pause: seconds until the next attempt.
  /// - Returns: whether the webhook was switched off.
  package func webhookFailed(
    _ delivery: WebhookDeliveryRecord, status: Int?, error: String, pause: Int64, limit: Int64
  ) throws(StoreFailure) -> Bool {
    try change(.daemon) { (change) throws(StoreFailure) in
      let connection = change.connection
      // Somebody may have removed it meanwhile.
      guard let webhook = try connection.webhooks("id = ?", delivery.webhookID).first?.item else {
        return false
      }
      try connection.run(
        """
        UPDATE webhook_deliveries SET attempts = attempts + 1, first_attempt = coalesce(first_attempt, ?2),
          last_attempt = ?2, next_attempt = ?3, response_status = ?4, error = ?5 WHERE id = ?1
        """, delivery.id, change.now, change.now + pause, status, error)
      let first = try connection.webhookDelivery(delivery.id).firstAttempt ?? change.now
      guard webhook.isEnabled, change.now - first >= limit else { return false }
      try connection.run("UPDATE webhooks SET enabled = 0, disabled_reason = ? WHERE id = ?", error, webhook.id)
      try change.audit("webhook.disable", app: webhook.appID, subject: .text(webhook.name), reason: error)
      return true
    }
  }
}

extension CatalogConnection {
  func webhookDelivery(_ id: String) throws(StoreFailure) -> WebhookDeliveryRecord {
    guard let found = try webhookDeliveries("id = ?", id).first else {
      throw .notFound(kind: .webhookDelivery, name: id)
    }
    return found.item
  }

  fileprivate func webhookDeliveries(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: WebhookDeliveryRecord)] {
    try rows(
      """
      SELECT seq, id, webhook_id, event, body, state, redelivery, attempts, created, first_attempt, last_attempt,
        next_attempt, response_status, error
      FROM webhook_deliveries WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      let record = WebhookDeliveryRecord(
        number: row.integer(0), id: row.text(1), webhookID: row.text(2), event: row.text(3), body: row.text(4),
        state: try row.value(5), isRedelivery: row.flag(6), attempts: row.number(7), created: row.integer(8),
        firstAttempt: row.optionalInteger(9), lastAttempt: row.optionalInteger(10), nextAttempt: row.integer(11),
        responseStatus: row.optionalInteger(12).map { Int(truncatingIfNeeded: $0) }, error: row.optionalText(13))
      return (row.integer(0), record)
    }
  }

  fileprivate func add(
    _ delivery: NewWebhookDelivery, webhook: String, isRedelivery: Bool, now: Int64
  ) throws(StoreFailure) {
    try run(
      """
      INSERT INTO webhook_deliveries (id, webhook_id, event, body, state, redelivery, created, next_attempt)
      VALUES (?1, ?2, ?3, ?4, 'PENDING', ?5, ?6, ?6)
      """, delivery.id, webhook, delivery.event, delivery.body, isRedelivery, now)
  }

  /// Looks up what a line is about by the ids in it.
  fileprivate func webhookSource(_ record: AuditRecord) throws(StoreFailure) -> WebhookSource {
    let line = try first(
      "SELECT pack_id, version_number, track, packs FROM audit WHERE seq = ? AND subject_kind IS NOT NULL",
      record.number
    ) {
      (pack: $0.optionalText(0), number: $0.optionalInteger(1), track: $0.optionalText(2), packs: $0.optionalText(3))
    }
    guard let line else { return try webhookSourceOfSentence(record) }
    let bundleID = try record.appID.flatMap { (id) throws(StoreFailure) in
      try first("SELECT bundle_id FROM apps WHERE id = ?", id) { $0.text(0) }
    }
    var pairs = line.pack.map { [($0, line.number)] } ?? []
    for pair in try line.packs.map({ (text) throws(StoreFailure) in try storedJSON(text, column: "audit.packs") })?
      .array
      ?? []
    {
      guard let parts = pair.array, parts.count == 2, let pack = parts[0].string else { continue }
      pairs.append((pack, parts[1].int.map { Int64($0) }))
    }
    var packs: [WebhookSource.Pack] = []
    for (pack, number) in pairs {
      let version = try number.flatMap { (number) throws(StoreFailure) in
        try first("SELECT id FROM versions WHERE pack_id = ? AND number = ?", pack, number) { $0.text(0) }
      }
      packs.append(WebhookSource.Pack(packID: pack, versionID: version))
    }
    var releaseID: String?
    if packs.count == 1, let version = packs[0].versionID, let track = line.track {
      releaseID = try first("SELECT id FROM releases WHERE version_id = ? AND track = ?", version, track) { $0.text(0) }
    }
    return WebhookSource(record: record, bundleID: bundleID, packs: packs, releaseID: releaseID, track: line.track)
  }

  /// Only for lines from before the log had ids. Looks up what the subject of a line names: `PACK`, `PACK NUMBER` or
  /// `PACK NUMBER on TRACK`. Names of packs have no spaces.
  private func webhookSourceOfSentence(_ record: AuditRecord) throws(StoreFailure) -> WebhookSource {
    let words = record.subject.split(separator: " ").map { String($0) }
    let bundleID = try record.appID.flatMap { (id) throws(StoreFailure) in
      try first("SELECT bundle_id FROM apps WHERE id = ?", id) { $0.text(0) }
    }
    var packID: String?
    var versionID: String?
    var releaseID: String?
    let track = words.count == 4 && words[2] == "on" ? words[3] : nil
    let noun = record.action.prefix { $0 != "." }
    let nouns = ["pack", "version", "release", "state", "rollout"]
    if let app = record.appID, let name = words.first, nouns.contains(String(noun)) {
      packID = try first("SELECT id FROM packs WHERE app_id = ? AND identifier = ?", app, name) {
        $0.text(0)
      }
      if let packID, words.count > 1, let number = Int64(words[1]) {
        versionID = try first(
          "SELECT id FROM versions WHERE pack_id = ? AND number = ?", packID, number
        ) { $0.text(0) }
      }
      if let versionID, let track {
        releaseID = try first(
          "SELECT id FROM releases WHERE version_id = ? AND track = ?", versionID, track
        ) { $0.text(0) }
      }
    }
    let packs = packID.map { [WebhookSource.Pack(packID: $0, versionID: versionID)] } ?? []
    return WebhookSource(record: record, bundleID: bundleID, packs: packs, releaseID: releaseID, track: track)
  }
}
