import Observability

// Who was not let in, and who is told of what happens.
extension ServiceReadings {
  var accessFamilies: [MetricFamily] {
    [
      MetricFamily(
        "packhouse_authentication_failures_total", .counter, "Requests to the admin API that were not let in.",
        authenticationFailures.map { .init([("reason", $0.reason)], $0.count) }),
      MetricFamily(
        "packhouse_webhook_attempts_total", .counter, "Attempts to deliver an event to a webhook.",
        [.init([("result", "arrived")], webhooks.arrived), .init([("result", "failed")], webhooks.failed)]),
      MetricFamily(
        "packhouse_webhooks_disabled_total", .counter, "Webhooks that were switched off after failing for too long.",
        [.init(webhooks.disabled)]),
      MetricFamily(
        "packhouse_webhook_backlog", .gauge, "Deliveries that have not arrived yet.", [.init(webhookBacklog)]),
    ]
  }
}
