import HTTPCore
import JSONText

extension Verb {
  static let tokenList = Verb(
    words: ["token", "list"], summary: "Show the tokens of the admin API, without their secrets.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only those that are for this app."), .flag("json", "Print them as JSON."),
    ]
  ) { arguments throws(CommandFailure) in
    let client = try AdminClient(arguments)
    let tokens = try client.list("v1/tokens", try client.appFilter(arguments))
    if arguments.has("json") { return Output.write(["tokens": .array(tokens.map(AdminClient.flattened))]) }
    for token in tokens {
      let state =
        token["attributes"]?["revokedDate"]?.string.map { "revoked \($0)" }
        ?? token["attributes"]?["expirationDate"]?.string.map { "until \($0)" } ?? "for ever"
      let used = token["attributes"]?["lastUsedDate"]?.string.map { "used \($0)" } ?? "never used"
      Output.columns([
        (token["id"]?.string ?? "", 36), (token["attributes"]?["role"]?.string ?? "", 9),
        (token["attributes"]?["name"]?.string ?? "", 20), (state, 28), (used, 0),
      ])
    }
  }

  static let tokenRevoke = Verb(
    words: ["token", "revoke"], summary: "Make a token worthless at once.", positionals: "ID", count: 1...1,
    options: AdminClient.options
  ) { arguments throws(CommandFailure) in
    try AdminClient(arguments).delete("v1/tokens/\(AdminClient.encoded(arguments.positionals[0]))")
  }

  static let tokenRotate = Verb(
    words: ["token", "rotate"], summary: "Give a token a new secret; the old one stays good for a while.",
    positionals: "ID", count: 1...1,
    options: AdminClient.options + [
      .value(
        "overlap", "TIME", "How long the old secret stays good, such as 1h; 0s for not at all (the server's 24h)."),
      .flag("json", "Print the token as JSON."),
    ]
  ) { arguments throws(CommandFailure) in try rotateToken(arguments) }

  private static func rotateToken(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    var attributes = JSONObject()
    if let text = arguments.value("overlap") {
      guard let seconds = TimeText.span(text) else {
        throw CommandFailure("--overlap \(text) is no span; expected one such as 24h, 30min or 0s.", .usage)
      }
      attributes.set("overlap", .integer(seconds))
    }
    let id = AdminClient.encoded(arguments.positionals[0])
    let answer = try client.post(
      "v1/tokens/\(id)/rotation", ["data": ["type": "tokenRotations", "attributes": .object(attributes)]])
    guard let token = answer["data"]?["attributes"]?["token"]?.string else {
      throw CommandFailure("The server's answer has no token in it; is it of this release?", .dataError)
    }
    let end = answer["data"]?["attributes"]?["formerTokenExpirationDate"]?.string
    if arguments.has("json") {
      return Output.write(["token": .string(token), "formerTokenExpirationDate": .optional(end)])
    }
    Output.write("\(token)\n")
    Output.tell("Keep it: it is not shown again. The old one is good \(end.map { "until \($0)" } ?? "no more").\n")
  }
}
