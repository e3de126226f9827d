import JSONText

extension Verb {
  static let webhookAdd = Verb(
    words: ["webhook", "add"], summary: "Send events to an https URL.", positionals: "URL", count: 1...1,
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only events of this app."), .value("name", "NAME", "Its name (the host)."),
      .value("event", "EVENT", "Only events of this type; see docs/api.md.", repeats: true),
      .value("secret", "SECRET", "The key for signatures, 16 bytes or more (made by the server)."),
      .flag("json", "Print it as JSON."),
    ], details: "The host must be one of webhooks.hosts in the server's configuration."
  ) { arguments throws(CommandFailure) in
    var attributes = JSONObject([("url", .string(arguments.positionals[0]))])
    for name in ["name", "secret"] {
      if let value = arguments.value(name) { attributes.set(name, .string(value)) }
    }
    let events = arguments.all("event")
    if !events.isEmpty { attributes.set("eventTypes", .array(events.map { .string($0) })) }
    let webhook = try AdminClient(arguments).create("webhooks", attributes, app: arguments.value("app"))
    if arguments.has("json") { return Output.write(AdminClient.flattened(webhook)) }
    Output.write("\(webhook["id"]?.string ?? "")\n")
    if let secret = webhook["attributes"]?["secret"]?.string {
      Output.write("\(secret)\n")
      Output.tell("The second line is the secret of its signatures. Store it now: it is not shown again.\n")
    }
  }

  static let webhookList = Verb(
    words: ["webhook", "list"], summary: "Show the webhooks.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only those of this app."), .flag("json", "Print them as JSON."),
    ]
  ) { arguments throws(CommandFailure) in
    let client = try AdminClient(arguments)
    let webhooks = try client.list("v1/webhooks", try client.appFilter(arguments))
    if arguments.has("json") { return Output.write(["webhooks": .array(webhooks.map(AdminClient.flattened))]) }
    for webhook in webhooks {
      let state =
        webhook["attributes"]?["enabled"]?.bool == true
        ? "on" : "off\(webhook["attributes"]?["disabledReason"]?.string.map { ": \($0)" } ?? "")"
      Output.columns([
        (webhook["id"]?.string ?? "", 36), (webhook["attributes"]?["name"]?.string ?? "", 20),
        (webhook["attributes"]?["url"]?.string ?? "", 40), (state, 0),
      ])
    }
  }

  static let webhookRemove = Verb(
    words: ["webhook", "remove"], summary: "Remove a webhook and its pending deliveries.", positionals: "ID",
    count: 1...1, options: AdminClient.options
  ) { arguments throws(CommandFailure) in
    try AdminClient(arguments).delete("v1/webhooks/\(AdminClient.encoded(arguments.positionals[0]))")
  }

  static let webhookEnable = switching(
    "enable", "Turn a webhook on again; it continues where it stopped.", enabled: true)
  static let webhookDisable = switching(
    "disable", "Turn a webhook off; events wait until it is on again.", enabled: false)

  private static func switching(_ word: String, _ summary: String, enabled: Bool) -> Verb {
    Verb(
      words: ["webhook", word], summary: summary, positionals: "ID", count: 1...1, options: AdminClient.options
    ) { arguments throws(CommandFailure) in
      let id = arguments.positionals[0]
      _ = try AdminClient(arguments).patch(
        "v1/webhooks/\(AdminClient.encoded(id))",
        ["data": ["type": "webhooks", "id": .string(id), "attributes": ["enabled": .bool(enabled)]]])
    }
  }

  static let webhookPing = Verb(
    words: ["webhook", "ping"], summary: "Send a test event to a webhook.",
    positionals: "ID", count: 1...1, options: AdminClient.options + [.flag("json", "Print the ping as JSON.")]
  ) { arguments throws(CommandFailure) in
    try related("webhookPings", "webhook", "webhooks", arguments)
  }

  static let webhookRedeliver = Verb(
    words: ["webhook", "redeliver"], summary: "Send a delivery again.", positionals: "DELIVERY_ID", count: 1...1,
    options: AdminClient.options + [.flag("json", "Print the new delivery as JSON.")]
  ) { arguments throws(CommandFailure) in
    try related("webhookDeliveries", "template", "webhookDeliveries", arguments)
  }

  /// Creates something whose only content is a relationship.
  private static func related(
    _ type: String, _ relationship: String, _ target: String, _ arguments: Arguments
  ) throws(CommandFailure) {
    let answer = try AdminClient(arguments).post(
      "v1/\(type)",
      [
        "data": [
          "type": .string(type),
          "relationships": AdminClient.relationship(relationship, target, arguments.positionals[0]),
        ]
      ])
    if arguments.has("json") { return Output.write(AdminClient.flattened(answer["data"] ?? .null)) }
    Output.write("\(answer["data"]?["id"]?.string ?? "")\n")
  }

  static let webhookDeliveries = Verb(
    words: ["webhook", "deliveries"], summary: "Show sent and pending deliveries of a webhook, newest first.",
    positionals: "ID", count: 1...1,
    options: AdminClient.options + [
      .value("limit", "N", "How many (50)."), .flag("json", "Print them as JSON."),
    ]
  ) { arguments throws(CommandFailure) in
    let limit = arguments.value("limit") ?? "50"
    guard let count = Int(limit), count > 0 else {
      throw CommandFailure("--limit must be a whole number above 0, not \(limit).", .usage)
    }
    let id = AdminClient.encoded(arguments.positionals[0])
    let deliveries = try AdminClient(arguments).list("v1/webhooks/\(id)/deliveries", [], atMost: count)
    if arguments.has("json") { return Output.write(["deliveries": .array(deliveries.map(AdminClient.flattened))]) }
    for delivery in deliveries {
      let attributes = delivery["attributes"]
      let status = attributes?["response"]?["httpStatusCode"]?.int.map { String($0) } ?? "-"
      Output.columns([
        (delivery["id"]?.string ?? "", 36), (attributes?["createdDate"]?.string ?? "", 20),
        (attributes?["deliveryState"]?.string ?? "", 9), (status, 3), (attributes?["eventType"]?.string ?? "", 45),
        (attributes?["errorMessage"]?.string ?? "", 0),
      ])
    }
  }
}
