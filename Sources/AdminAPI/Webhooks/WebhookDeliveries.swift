import HTTPCore
import JSONText
import PackStore
import Webhooks

// `webhookDeliveries`: what was sent to a webhook and what is waiting. `webhookPings`: does its receiver answer?
extension AdminResources {
  var webhookDeliveryRoutes: [Route] {
    [
      Route(
        .get, "/v1/webhooks/{id}/deliveries", .admin, .path(.webhook), listDeliveries,
        .lists(Self.deliveryList, "What was sent to a webhook and what is waiting, newest first")),
      Route(
        .get, "/v1/webhookDeliveries/{id}", .admin, .path(.delivery), readDelivery,
        .reads(Self.oneDelivery, "One delivery")),
      Route(
        .post, "/v1/webhookDeliveries", .admin, .body("template", .delivery), BodyShape("webhookDeliveries"),
        redeliver, .creates(Self.deliveryShape, "Sends a delivery again")),
      Route(
        .delete, "/v1/webhookDeliveries/{id}", .admin, .path(.delivery), giveUpDelivery,
        .deletes("Gives up a waiting delivery")),
      Route(
        .post, "/v1/webhookPings", .admin, .body("webhook", .webhook), BodyShape("webhookPings"), pingWebhook,
        .creates(Self.pingShape, "Sends a webhook a ping")),
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

  private func listDeliveries(
    _ context: RequestContext, _ webhook: WebhookRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    let state = try query.choice("filter[deliveryState]", WebhookDeliveryState.self)
    let page = try stored { () throws(StoreFailure) in
      try store.webhookDeliveries(webhook: webhook.id, state: state, page: query.page)
    }
    return list(page, query) { resource($0, webhook) }
  }

  private func readDelivery(
    _ context: RequestContext, _ found: DeliveryToWebhook, _ query: Query
  ) throws(APIFailure) -> Message {
    single(resource(found.delivery, found.webhook), query)
  }

  private func redeliver(
    _ context: RequestContext, _ template: DeliveryToWebhook, _: Void
  ) throws(APIFailure) -> Message {
    let (old, webhook) = (template.delivery, template.webhook)
    let fresh = try stored { () throws(StoreFailure) in
      try store.addWebhookDelivery(
        NewWebhookDelivery(id: try newDeliveryID(), event: old.event, body: old.body), webhook: webhook.id,
        isRedelivery: true, actor: context.actor)
    }
    return single(status: 201, resource(fresh, webhook))
  }

  private func giveUpDelivery(_ context: RequestContext, _ found: DeliveryToWebhook) throws(APIFailure) -> Message {
    _ = try stored { () throws(StoreFailure) in
      try store.giveUpWebhookDelivery(found.delivery.id, actor: context.actor)
    }
    return .nothing
  }

  private func pingWebhook(_ context: RequestContext, _ webhook: WebhookRecord, _: Void) throws(APIFailure) -> Message {
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

/// A delivery and the webhook that it goes to.
struct DeliveryToWebhook: Sendable {
  let delivery: WebhookDeliveryRecord
  let webhook: WebhookRecord
}

extension Owned<DeliveryToWebhook> {
  static var delivery: Owned {
    Owned(
      kind: .webhookDelivery, type: "webhookDeliveries",
      find: { (store, id) throws(StoreFailure) in
        let delivery = try store.webhookDelivery(id)
        return DeliveryToWebhook(delivery: delivery, webhook: try store.webhook(delivery.webhookID))
      }, app: { $0.webhook.appID })
  }
}
