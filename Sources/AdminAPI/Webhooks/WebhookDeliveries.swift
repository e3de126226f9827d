import HTTPCore
import JSONText
import PackStore
import Webhooks

// `webhookDeliveries`: what was sent to a webhook and what waits. `webhookPings`: does its receiver answer?
extension AdminResources {
  var webhookDeliveryRoutes: [Route] {
    [
      Route(
        .get, "/v1/webhooks/{id}/deliveries", .admin, listDeliveries,
        .lists(Self.deliveryList, "What was sent to a webhook and what waits, the newest first")),
      Route(.get, "/v1/webhookDeliveries/{id}", .admin, readDelivery, .reads(Self.oneDelivery, "One delivery")),
      Route(
        .post, "/v1/webhookDeliveries", .admin, redeliver,
        .creates(Self.deliveryShape, "Sends a delivery again", relationships: [("template", "webhookDeliveries")])),
      Route(
        .delete, "/v1/webhookDeliveries/{id}", .admin, giveUpDelivery, .deletes("Gives up a delivery that waits")),
      Route(
        .post, "/v1/webhookPings", .admin, pingWebhook,
        .creates(Self.pingShape, "Sends a webhook a ping", relationships: [("webhook", "webhooks")])),
    ]
  }

  private static let deliveryShape = ResourceShape(
    type: "webhookDeliveries",
    attributes: [
      ("eventType", Schema.text), ("deliveryState", Schema.choice(of: WebhookDeliveryState.self)),
      ("createdDate", Schema.date), ("sentDate", Schema.optional(Schema.date)),
      ("nextAttemptDate", Schema.optional(Schema.date)), ("attempts", Schema.integer), ("redelivery", Schema.flag),
      ("errorMessage", Schema.optional(Schema.text)),
      ("request", Schema.object([("url", Schema.text), ("body", Schema.text)])),
      ("response", Schema.optional(Schema.object([("httpStatusCode", Schema.integer)]))),
    ], relationships: [ResourceShape.Relationship(name: "webhook", type: "webhooks")])

  private static let pingShape = ResourceShape(
    type: "webhookPings", attributes: [("createdDate", Schema.date)],
    relationships: [
      ResourceShape.Relationship(name: "webhook", type: "webhooks"),
      ResourceShape.Relationship(name: "delivery", type: "webhookDeliveries"),
    ])

  private static let deliveryList = QueryShape(
    resource: deliveryShape, isPlainList: true,
    more: [("filter[deliveryState]", Schema.choice(of: WebhookDeliveryState.self))])
  private static let oneDelivery = QueryShape(resource: deliveryShape)

  private func listDeliveries(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.deliveryList)
    let webhook = try seenWebhook(context, context.id)
    let state = try query.choice("filter[deliveryState]", WebhookDeliveryState.self)
    let page = try stored { () throws(StoreFailure) in
      try store.webhookDeliveries(webhook: webhook.id, state: state, page: query.page)
    }
    return list(page, query) { resource($0, webhook) }
  }

  private func readDelivery(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneDelivery)
    let (delivery, webhook) = try seenDelivery(context, context.id)
    return single(resource(delivery, webhook), query)
  }

  private func seenDelivery(
    _ context: RequestContext, _ id: String
  ) throws(APIFailure) -> (WebhookDeliveryRecord, WebhookRecord) {
    let (delivery, webhook) = try stored { () throws(StoreFailure) in
      let delivery = try store.webhookDelivery(id)
      return (delivery, try store.webhook(delivery.webhookID))
    }
    try context.mustOwn(app: webhook.appID, "webhook delivery", id)
    return (delivery, webhook)
  }

  private func redeliver(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(context.request, type: "webhookDeliveries", relationships: ["template"])
    let id = try body.related("template", type: "webhookDeliveries")
    let (old, webhook) = try related("template") { () throws(APIFailure) in try seenDelivery(context, id) }
    let fresh = try stored { () throws(StoreFailure) in
      try store.addWebhookDelivery(
        NewWebhookDelivery(id: try newDeliveryID(), event: old.event, body: old.body), webhook: webhook.id,
        isRedelivery: true, actor: context.actor)
    }
    return single(status: 201, resource(fresh, webhook))
  }

  private func giveUpDelivery(_ context: RequestContext) throws(APIFailure) -> Message {
    let (delivery, _) = try seenDelivery(context, context.id)
    _ = try stored { () throws(StoreFailure) in
      try store.giveUpWebhookDelivery(delivery.id, actor: context.actor)
    }
    return .nothing
  }

  private func pingWebhook(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(context.request, type: "webhookPings", relationships: ["webhook"])
    let id = try body.related("webhook", type: "webhooks")
    let webhook = try related("webhook") { () throws(APIFailure) in try seenWebhook(context, id) }
    let delivery = try stored { () throws(StoreFailure) in
      let id = try newDeliveryID()
      let text = WebhookPayload.ping(id: id, webhook: webhook.id, at: signer.clock.now())
      return try store.addWebhookDelivery(
        NewWebhookDelivery(id: id, event: WebhookEventType.ping.rawValue, body: text), webhook: webhook.id,
        isRedelivery: false, actor: context.actor)
    }
    let resource = ResourceObject(
      type: "webhookPings", id: delivery.id, attributes: JSONObject([("createdDate", .time(delivery.created))]),
      relationships: [
        ("webhook", "webhooks", webhook.id), ("delivery", "webhookDeliveries", delivery.id),
      ], path: "/v1/webhookDeliveries/\(delivery.id)")
    return single(status: 201, resource)
  }

  /// What a relationship points at; that it is not there is a fault of the body.
  private func related<Value>(
    _ name: String, _ body: () throws(APIFailure) -> Value
  ) throws(APIFailure) -> Value {
    do throws(APIFailure) {
      return try body()
    } catch {
      guard error.code == .notFound else { throw error }
      throw APIFailure(.relationshipInvalid, error.detail, source: .pointer(RequestDocument.pointer(to: name)))
    }
  }

  private func resource(_ delivery: WebhookDeliveryRecord, _ webhook: WebhookRecord) -> ResourceObject {
    let isWaiting = delivery.state == .pending
    return ResourceObject(
      type: "webhookDeliveries", id: delivery.id,
      attributes: JSONObject([
        ("eventType", .string(delivery.event)), ("deliveryState", .string(delivery.state.rawValue)),
        ("createdDate", .time(delivery.created)), ("sentDate", .optionalTime(delivery.lastAttempt)),
        ("nextAttemptDate", isWaiting ? .time(delivery.nextAttempt) : .null),
        ("attempts", .integer(delivery.attempts)), ("redelivery", .bool(delivery.isRedelivery)),
        ("errorMessage", .optional(delivery.error)),
        ("request", ["url": .string(webhook.url), "body": .string(delivery.body)]),
        ("response", delivery.responseStatus.map { ["httpStatusCode": .integer($0)] } ?? .null),
      ]), relationships: [("webhook", "webhooks", webhook.id)], path: "/v1/webhookDeliveries/\(delivery.id)",
      fleeting: ["sentDate", "nextAttemptDate", "attempts"])
  }
}
