import HTTPCore
import JSONText
import PackStore
import SystemIO
import Values
import Webhooks

// `webhooks`: who is notified of events. A token for one app manages only that app's webhooks.
extension AdminResources {
  var webhookRoutes: [Route] {
    [
      Route(.get, "/v1/webhooks", .admin, .filteredList, listWebhooks, .lists(Self.webhookList, "The webhooks")),
      Route(
        .post, "/v1/webhooks", .admin, .optionalApp, Self.newWebhook, createWebhook,
        .creates(Self.webhookShape, "A new webhook; a secret that the server makes is in this answer only")
      ).withSecretAnswer(),
      Route(.get, "/v1/webhooks/{id}", .admin, .path(.webhook), readWebhook, .reads(Self.oneWebhook, "One webhook")),
      Route(
        .patch, "/v1/webhooks/{id}", .admin, .path(.webhook), Self.webhookChange, updateWebhook,
        .updates(Self.webhookShape, "Another address, secret or choice of events; on or off")),
      Route(
        .delete, "/v1/webhooks/{id}", .admin, .path(.webhook), removeWebhook, .deletes("Removes a webhook")),
    ] + webhookDeliveryRoutes
  }

  private static let webhookName = Field("name", .text(1...255))
  private static let secret = Field("secret", .text(16...255))
  private static let eventTypes = Field("eventTypes", .list(eventType, 1...100, expected: "at least one event"))
  private static let enabled = Field("enabled", .flag)

  private static let newWebhook = BodyShape(
    "webhooks", webhookName, Field("url", .text(1...2048), expected: "an https URL"), secret, eventTypes, enabled)
  private static let webhookChange = BodyShape(
    "webhooks", webhookName, Field("url", .text(1...2048)), secret, eventTypes, enabled)

  private static let eventType = ValueShape<WebhookEventType>(
    Schema.choice(WebhookEventType.selectable.map(\.rawValue))
  ) { (item) throws(JSONShapeFailure) in
    let text = try item.string()
    guard let event = WebhookEventType.selectable.first(where: { $0.rawValue == text }) else {
      throw item.outOfRange("one of " + WebhookEventType.selectable.map(\.rawValue).joined(separator: ", "))
    }
    return event
  }

  private static let webhookShape = ResourceShape(
    type: "webhooks",
    attributes: [
      ("name", Schema.text), ("url", Schema.text), ("eventTypes", Schema.list(eventType.schema)),
      ("enabled", Schema.flag),
      ("disabledReason", Schema.optional(Schema.text)), ("createdDate", Schema.date), ("secret", Schema.text),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let webhookList = QueryShape(
    resource: webhookShape, isPlainList: true, more: [("filter[app]", Schema.text)])
  private static let oneWebhook = QueryShape(resource: webhookShape)

  private func listWebhooks(_ context: RequestContext, _ scope: AppScope, _ query: Query) throws(APIFailure) -> Message
  {
    let page = try stored { () throws(StoreFailure) in try store.webhooks(app: scope.id, page: query.page) }
    return list(page, query) { resource($0) }
  }

  private func readWebhook(
    _ context: RequestContext, _ webhook: WebhookRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    single(resource(webhook), query)
  }

  private func createWebhook(
    _ context: RequestContext, _ scope: AppScope, _ body: (String?, String, String?, [WebhookEventType]?, Bool?)
  ) throws(APIFailure) -> Message {
    let (name, url, given, events, isEnabled) = body
    let target = try checkTarget(url)
    let secret = if let given { given } else { try Self.newSecret() }
    let webhook = try stored { () throws(StoreFailure) in
      try store.createWebhook(
        app: scope.id, name: name ?? target, url: url, secret: secret,
        events: Self.names(events ?? WebhookEventType.selectable), enabled: isEnabled ?? true, actor: context.actor)
    }
    return single(status: 201, resource(webhook, secret: given == nil ? secret : nil))
  }

  private func updateWebhook(
    _ context: RequestContext, _ webhook: WebhookRecord,
    _ body: (String?, String?, String?, [WebhookEventType]?, Bool?)
  ) throws(APIFailure) -> Message {
    let (name, url, secret, events, isEnabled) = body
    if let url { _ = try checkTarget(url) }
    let changed = try stored { () throws(StoreFailure) in
      try store.updateWebhook(
        webhook.id, name: name, url: url, secret: secret, events: events.map(Self.names), enabled: isEnabled,
        actor: context.actor)
    }
    return single(resource(changed))
  }

  private func removeWebhook(_ context: RequestContext, _ webhook: WebhookRecord) throws(APIFailure) -> Message {
    try stored { () throws(StoreFailure) in try store.removeWebhook(webhook.id, actor: context.actor) }
    return .nothing
  }

  /// The names of events, each once.
  private static func names(_ events: [WebhookEventType]) -> [String] {
    var names: [String] = []
    for event in events where !names.contains(event.rawValue) { names.append(event.rawValue) }
    return names
  }

  /// The host of an address that webhooks may have.
  private func checkTarget(_ url: String) throws(APIFailure) -> String {
    do throws(WebhookFailure) {
      return try dependencies.webhooks.target(url).host
    } catch {
      throw APIFailure(.webhookTargetRefused, error.sentence, source: .pointer("/data/attributes/url"))
    }
  }

  private static func newSecret() throws(APIFailure) -> String {
    do throws(SystemFailure) {
      return hexadecimal(try secureRandomBytes(32))
    } catch {
      throw APIFailure(.internalFailure, "\(error.sentence)")
    }
  }

  private func resource(_ webhook: WebhookRecord, secret: String? = nil) -> ResourceObject {
    var attributes = JSONObject([
      ("name", .string(webhook.name)), ("url", .string(webhook.url)),
      ("eventTypes", .array(webhook.events.map { .string($0) })), ("enabled", .bool(webhook.isEnabled)),
      ("disabledReason", .optional(webhook.disabledReason)), ("createdDate", .time(webhook.created)),
    ])
    if let secret { attributes.set("secret", .string(secret)) }
    return ResourceObject(
      type: "webhooks", id: webhook.id, attributes: attributes,
      relationships: webhook.appID.map { [("app", "apps", $0)] } ?? [], path: "/v1/webhooks/\(webhook.id)",
      fleeting: ["secret"])
  }
}

extension Owned<WebhookRecord> {
  static var webhook: Owned {
    Owned(
      kind: .webhook, type: "webhooks", find: { (store, id) throws(StoreFailure) in try store.webhook(id) },
      app: { $0.appID })
  }
}
