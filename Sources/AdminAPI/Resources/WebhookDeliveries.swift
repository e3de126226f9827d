import HTTPCore
import JSONText
import PackStore
import Webhooks

// `webhookDeliveries`: what was sent to a webhook and what waits. `webhookPings`: does its receiver answer?
extension AdminResources {
  var webhookDeliveryRoutes: [Route] {
    [
      Route(.get, "/v1/webhooks/{id}/deliveries", .admin, listDeliveries),
      Route(.get, "/v1/webhookDeliveries/{id}", .admin, readDelivery),
      Route(.post, "/v1/webhookDeliveries", .admin, redeliver),
      Route(.delete, "/v1/webhookDeliveries/{id}", .admin, giveUpDelivery),
      Route(.post, "/v1/webhookPings", .admin, pingWebhook),
    ]
  }

  private func listDeliveries(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request, allowing: ["filter[deliveryState]"])
    let webhook = try seenWebhook(call, call.id)
    let state = try query.choice("filter[deliveryState]", WebhookDeliveryState.self)
    let page = try stored { () throws(StoreFailure) in
      try store.webhookDeliveries(webhook: webhook.id, state: state, page: query.page)
    }
    return list(page, query) { resource($0, webhook) }
  }

  private func readDelivery(_ call: Call) throws(APIFailure) -> Message {
    let (delivery, webhook) = try seenDelivery(call, call.id)
    return single(resource(delivery, webhook))
  }

  private func seenDelivery(
    _ call: Call, _ id: String
  ) throws(APIFailure) -> (WebhookDeliveryRecord, WebhookRecord) {
    let (delivery, webhook) = try stored { () throws(StoreFailure) in
      let delivery = try store.webhookDelivery(id)
      return (delivery, try store.webhook(delivery.webhookID))
    }
    try call.mustOwn(app: webhook.appID, "webhook delivery", id)
    return (delivery, webhook)
  }

  private func redeliver(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(call.request, type: "webhookDeliveries", relationships: ["template"])
    let id = try body.related("template", type: "webhookDeliveries")
    let (old, webhook) = try related("template") { () throws(APIFailure) in try seenDelivery(call, id) }
    let fresh = try stored { () throws(StoreFailure) in
      try store.addWebhookDelivery(
        NewWebhookDelivery(id: try newDeliveryID(), event: old.event, body: old.body), webhook: webhook.id,
        isRedelivery: true, actor: call.actor)
    }
    return single(status: 201, resource(fresh, webhook))
  }

  private func giveUpDelivery(_ call: Call) throws(APIFailure) -> Message {
    let (delivery, _) = try seenDelivery(call, call.id)
    _ = try stored { () throws(StoreFailure) in
      try store.giveUpWebhookDelivery(delivery.id, actor: call.actor)
    }
    return .nothing
  }

  private func pingWebhook(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(call.request, type: "webhookPings", relationships: ["webhook"])
    let id = try body.related("webhook", type: "webhooks")
    let webhook = try related("webhook") { () throws(APIFailure) in try seenWebhook(call, id) }
    let delivery = try stored { () throws(StoreFailure) in
      let id = try newDeliveryID()
      let text = WebhookPayload.ping(id: id, webhook: webhook.id, at: signer.clock.now())
      return try store.addWebhookDelivery(
        NewWebhookDelivery(id: id, event: WebhookEventType.ping.rawValue, body: text), webhook: webhook.id,
        isRedelivery: false, actor: call.actor)
    }
    let resource = Resource(
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

  private func resource(_ delivery: WebhookDeliveryRecord, _ webhook: WebhookRecord) -> Resource {
    let isWaiting = delivery.state == .pending
    return Resource(
      type: "webhookDeliveries", id: delivery.id,
      attributes: JSONObject([
        ("eventType", .string(delivery.event)), ("deliveryState", .string(delivery.state.rawValue)),
        ("createdDate", .time(delivery.created)), ("sentDate", .optionalTime(delivery.lastAttempt)),
        ("nextAttemptDate", isWaiting ? .time(delivery.nextAttempt) : .null),
        ("attempts", .integer(delivery.attempts)), ("redelivery", .bool(delivery.isRedelivery)),
        ("errorMessage", .optional(delivery.error)),
        ("request", ["url": .string(webhook.url), "body": .string(delivery.body)]),
        ("response", delivery.responseStatus.map { ["httpStatusCode": .integer($0)] } ?? .null),
      ]), relationships: [("webhook", "webhooks", webhook.id)], path: "/v1/webhookDeliveries/\(delivery.id)")
  }
}
