import SystemIO

extension PackStore {
  /// Adds a webhook. It tells of what happens from now on.
  ///
  /// - Parameters:
  ///   - app: the id of the only app that it tells of; nil for all.
  ///   - url: must have been checked.
  package func createWebhook(
    app: String?, name: String, url: String, secret: String, events: [String], enabled: Bool, actor: Actor
  ) throws(StoreFailure) -> WebhookRecord {
    let id = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      if let app { _ = try change.connection.app(app) }
      try change.connection.run(
        """
        INSERT INTO webhooks (id, app_id, name, url, secret, events, enabled, cursor, created)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT coalesce(max(seq), 0) FROM audit), ?8)
        """, id, app, name, url, secret, events.joined(separator: " "), enabled, change.now)
      try change.audit("webhook.create", app: app, subject: .text(name), after: url)
      return try change.connection.webhook(id)
    }
  }

  /// The webhook of that id.
  package func webhook(_ id: String) throws(StoreFailure) -> WebhookRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.webhook(id) }
  }

  /// The webhooks in the order of their making; with `app` those that tell of that app only.
  package func webhooks(app: String? = nil, page: PageRequest = .init()) throws(StoreFailure) -> Page<WebhookRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      let rows = try connection.webhooks(
        "(?1 IS NULL OR app_id = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3", app, page.after ?? 0, page.limit + 1)
      let total = try connection.first("SELECT count(*) FROM webhooks WHERE ?1 IS NULL OR app_id = ?1", app) {
        $0.number(0)
      }
      return Page(rows: rows, total: total ?? 0, limit: page.limit)
    }
  }

  /// Changes what is not nil. Switched on again, it goes on where it was: nothing that happened meanwhile is lost.
  package func updateWebhook(
    _ id: String, name: String? = nil, url: String? = nil, secret: String? = nil, events: [String]? = nil,
    enabled: Bool? = nil, actor: Actor
  ) throws(StoreFailure) -> WebhookRecord {
    try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let old = try connection.webhook(id)
      try connection.run(
        """
        UPDATE webhooks SET name = coalesce(?2, name), url = coalesce(?3, url), secret = coalesce(?4, secret),
          events = coalesce(?5, events) WHERE id = ?1
        """, id, name, url, secret, events?.joined(separator: " "))
      if name != nil || url != nil || secret != nil || events != nil {
        let changed = [("name", name), ("url", url), ("secret", secret), ("eventTypes", events?.first)]
          .compactMap { $0.1 == nil ? nil : $0.0 }
        try change.audit(
          "webhook.change", app: old.appID, subject: .text(name ?? old.name), before: old.url, after: url ?? old.url,
          reason: changed.joined(separator: ", "))
      }
      if let enabled, enabled != old.isEnabled {
        try connection.run("UPDATE webhooks SET enabled = ?, disabled_reason = NULL WHERE id = ?", enabled, id)
        if enabled {
          try connection.run(
            """
            UPDATE webhook_deliveries SET first_attempt = NULL, next_attempt = ?2
            WHERE webhook_id = ?1 AND state = 'PENDING'
            """, id, change.now)
        }
        try change.audit(
          enabled ? "webhook.enable" : "webhook.disable", app: old.appID, subject: .text(name ?? old.name))
      }
      return try connection.webhook(id)
    }
  }

  /// Takes a webhook away, with its deliveries.
  package func removeWebhook(_ id: String, actor: Actor) throws(StoreFailure) {
    try change(actor) { (change) throws(StoreFailure) in
      let old = try change.connection.webhook(id)
      try change.connection.run("DELETE FROM webhooks WHERE id = ?", id)
      try change.audit("webhook.remove", app: old.appID, subject: .text(old.name), before: old.url)
    }
  }
}

extension CatalogConnection {
  func webhook(_ id: String) throws(StoreFailure) -> WebhookRecord {
    guard let found = try webhooks("id = ?", id).first else { throw .notFound(kind: .webhook, name: id) }
    return found.item
  }

  func webhooks(
    _ condition: String, _ values: any SQLBindable...
  ) throws(StoreFailure) -> [(seq: Int64, item: WebhookRecord)] {
    try rows(
      """
      SELECT seq, id, app_id, name, url, secret, events, enabled, disabled_reason, cursor, created FROM webhooks
      WHERE \(condition)
      """, values
    ) { row in
      let record = WebhookRecord(
        id: row.text(1), appID: row.optionalText(2), name: row.text(3), url: row.text(4), secret: row.text(5),
        events: row.text(6).split(separator: " ").map { String($0) }, isEnabled: row.flag(7),
        disabledReason: row.optionalText(8), cursor: row.integer(9), created: row.integer(10))
      return (row.integer(0), record)
    }
  }
}
