import HTTPCore
import JSONText
import SystemIO
import Values

extension Verb {
  static let audit = Verb(
    words: ["audit"], summary: "Show who did what, when and from where.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only this app."), .value("actor", "NAME", "Only what this token or key did."),
      .value("action", "ACTION", "Only this action: release.move, or release.* for all of a noun."),
      .value("from", "TIME", "Only since then: 7d, 12h, or a date."),
      .value("to", "TIME", "Only until then."), .value("limit", "N", "How many lines, the newest first (50)."),
      .flag("json", "Print them as JSON."),
    ]
  ) { arguments throws(CommandFailure) in try showAudit(arguments) }

  private static func showAudit(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    var query = try client.appFilter(arguments)
    for name in ["actor", "action"] {
      if let value = arguments.value(name) { query.append((name: "filter[\(name)]", value: value)) }
    }
    for name in ["from", "to"] {
      guard let text = arguments.value(name) else { continue }
      guard let moment = TimeText.moment(text, from: WallClock.system.now(), past: true) else {
        throw CommandFailure("--\(name) must be a duration such as 7d, or a date, not \(text).", .usage)
      }
      query.append((name: "filter[\(name)]", value: ISO8601.text(unixSeconds: moment)))
    }
    let limit = arguments.value("limit") ?? "50"
    guard let count = Int(limit), count > 0 else {
      throw CommandFailure("--limit must be a whole number above 0, not \(limit).", .usage)
    }
    let events = try client.list("v1/auditEvents", query, atMost: count)
    if arguments.has("json") { return Output.write(["auditEvents": .array(events.map(AdminClient.flattened))]) }
    for event in events {
      func text(_ name: String) -> String? { event["attributes"]?[name]?.string }
      let change = [text("before"), text("after")].compactMap { $0 }.joined(separator: " → ")
      let rest = [change, text("reason").map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
      Output.columns([
        (text("date") ?? "", 20), (text("actor") ?? "", 16), (text("address") ?? "-", 15), (text("action") ?? "", 18),
        (text("subject") ?? "", 30), (rest, 0),
      ])
    }
  }
}
