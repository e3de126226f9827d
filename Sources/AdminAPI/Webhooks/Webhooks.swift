import HTTPCore
import JSONText
import PackStore
import SystemIO
import Values
import Webhooks

// `webhooks`: who is told of what happens. A token that is for one app manages that app's webhooks only.
extension AdminResources {
  var webhookRoutes: [Route] {
    [
      Route(.get, "/v1/webhooks", .admin, listWebhooks, .lists(Self.webhookList, "The webhooks")),
      Route(
        .post, "/v1/webhooks", .admin, createWebhook,
        .creates(
          Self.webhookShape, "A new webhook; a secret that the server makes is in this answer only",
          attributes: [("url", Schema.text(1...2048))] + Self.webhookFields, required: ["url"],
          optional: [("app", "apps")])
      ).withSecretAnswer(),
      Route(.get, "/v1/webhooks/{id}", .admin, readWebhook, .reads(Self.oneWebhook, "One webhook")),
      Route(
        .patch, "/v1/webhooks/{id}", .admin, updateWebhook,
        .updates(
          Self.webhookShape, "Another address, secret or choice of events; on or off",
          attributes: [("url", Schema.optional(Schema.text(1...2048)))] + Self.webhookFields)),
      Route(.delete, "/v1/webhooks/{id}", .admin, removeWebhook, .deletes("Takes a webhook away")),
    ] + webhookDeliveryRoutes
  }

  private static let eventNames = Schema.choice(WebhookEventType.selectable.map(\.rawValue))

  /// What a body may say of a webhook beside its address.
  private static let webhookFields: [(String, JSONValue)] = [
    ("name", Schema.optional(Schema.text(1...255))), ("secret", Schema.optional(Schema.text(16...255))),
    ("eventTypes", Schema.optional(Schema.list(eventNames, 1...100))), ("enabled", Schema.optional(Schema.flag)),
  ]

  private static let webhookShape = ResourceShape(
    type: "webhooks",
    attributes: [
      ("name", Schema.text), ("url", Schema.text), ("eventTypes", Schema.list(eventNames)), ("enabled", Schema.flag),
      ("disabledReason", Schema.optional(Schema.text)), ("createdDate", Schema.date), ("secret", Schema.text),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let webhookList = QueryShape(
    resource: webhookShape, isPlainList: true, more: [("filter[app]", Schema.text)])
  private static let oneWebhook = QueryShape(resource: webhookShape)

  private func listWebhooks(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.webhookList)
    let app = try context.wantedApp(query)
    let page = try stored { () throws(StoreFailure) in try store.webhooks(app: app, page: query.page) }
    return list(page, query) { resource($0) }
  }

  private func readWebhook(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneWebhook)
    return single(resource(try seenWebhook(context, context.id)), query)
  }

  /// The webhook of that id, when the caller may see it.
  func seenWebhook(_ context: RequestContext, _ id: String) throws(APIFailure) -> WebhookRecord {
    let webhook = try stored { () throws(StoreFailure) in try store.webhook(id) }
    try context.mustOwn(app: webhook.appID, "webhook", id)
    return webhook
  }

  private func createWebhook(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "webhooks", attributes: ["name", "url", "secret", "eventTypes", "enabled"],
      relationships: ["app"])
    let fields = try WebhookFields(body.attributes)
    let url = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try body.attributes.required("url", expected: "an https URL").string()
    }
    let target = try checkTarget(url)
    let app = try context.optionalApp(body, store: store)
    let secret = if let given = fields.secret { given } else { try Self.newSecret() }
    let webhook = try stored { () throws(StoreFailure) in
      try store.createWebhook(
        app: app, name: fields.name ?? target, url: url, secret: secret,
        events: (fields.events ?? WebhookEventType.selectable).map(\.rawValue), enabled: fields.isEnabled ?? true,
        actor: context.actor)
    }
    return single(status: 201, resource(webhook, secret: fields.secret == nil ? secret : nil))
  }

  private func updateWebhook(_ context: RequestContext) throws(APIFailure) -> Message {
    _ = try seenWebhook(context, context.id)
    let body = try RequestDocument(
      context.request, type: "webhooks", id: context.id, attributes: ["name", "url", "secret", "eventTypes", "enabled"])
    let fields = try WebhookFields(body.attributes)
    if let url = fields.url { _ = try checkTarget(url) }
    let webhook = try stored { () throws(StoreFailure) in
      try store.updateWebhook(
        context.id, name: fields.name, url: fields.url, secret: fields.secret, events: fields.events?.map(\.rawValue),
        enabled: fields.isEnabled, actor: context.actor)
    }
    return single(resource(webhook))
  }

  private func removeWebhook(_ context: RequestContext) throws(APIFailure) -> Message {
    _ = try seenWebhook(context, context.id)
    try stored { () throws(StoreFailure) in try store.removeWebhook(context.id, actor: context.actor) }
    return .nothing
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

/// What a request says of a webhook; nil where it says nothing.
private struct WebhookFields {
  var name: String?
  var url: String?
  var secret: String?
  var events: [WebhookEventType]?
  var isEnabled: Bool?

  init(_ attributes: JSONObjectCursor) throws(APIFailure) {
    (name, url, secret, events, isEnabled) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      (
        try attributes.optional("name")?.string(bytes: 1...255),
        try attributes.optional("url")?.string(bytes: 1...2048),
        try attributes.optional("secret")?.string(bytes: 16...255), try Self.events(attributes),
        try attributes.optional("enabled")?.bool()
      )
    }
  }

  private static func events(_ attributes: JSONObjectCursor) throws(JSONShapeFailure) -> [WebhookEventType]? {
    guard let list = attributes.optional("eventTypes") else { return nil }
    var events: [WebhookEventType] = []
    for item in try list.array(maximum: 100) {
      let text = try item.string()
      guard let event = WebhookEventType.selectable.first(where: { $0.rawValue == text }) else {
        throw item.outOfRange("one of " + WebhookEventType.selectable.map(\.rawValue).joined(separator: ", "))
      }
      if !events.contains(event) { events.append(event) }
    }
    guard !events.isEmpty else { throw list.outOfRange("at least one event", found: "none") }
    return events
  }
}
