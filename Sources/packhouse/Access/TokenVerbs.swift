import AssetPacks
import Daemon
import HTTPCore
import JSONText
import PackStore
import SystemIO
import Values

extension Verb {
  static let tokenCreate = Verb(
    words: ["token", "create"], summary: "Create a token for the admin API.",
    options: AdminClient.options + [
      .value("config", "FILE", "On the server's machine: its configuration file, which names the state folder."),
      .value("state", "DIR", "On the server's machine: the state folder itself, such as the one of packhouse dev."),
      .value("role", "ROLE", "viewer, publisher, reviewer or admin."),
      .value("name", "NAME", "Its name in the audit log (the role)."),
      .value("app", "BUNDLE_ID", "Restrict it to this app."),
      .value("expires", "TIME", "When it expires: a duration such as 90d or 12h, or a date (never)."),
      .value("days", "N", "The same in days."),
      .flag("json", "Print the token as JSON."),
    ],
    details: """
      The token is shown once and stored only as a hash. With --config or --state it is created directly in the state
      folder, even while a server runs; otherwise the server is asked, which needs the token of an admin.
      """
  ) { arguments throws(CommandFailure) in try createToken(arguments) }

  private static func createToken(_ arguments: Arguments) throws(CommandFailure) {
    let role = try tokenRole(arguments)
    let expires = try expiry(arguments)
    let isLocal = arguments.value("config") != nil || arguments.value("state") != nil
    let made =
      isLocal
      ? try createLocalToken(arguments, role, expires)
      : try createRemoteToken(try AdminClient(arguments), arguments, role, expires)
    if arguments.has("json") {
      Output.write(["token": .string(made.secret), "id": .string(made.id), "role": .string(role.rawValue)])
    } else {
      Output.write("\(made.secret)\n")
      Output.tell("Store it now: it is not shown again.\n")
    }
  }

  /// The role that `--role` names.
  static func tokenRole(_ arguments: Arguments) throws(CommandFailure) -> Role {
    guard let role = Role(rawValue: arguments.value("role") ?? "") else {
      throw CommandFailure("--role must be one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).", .usage)
    }
    return role
  }

  private static func createRemoteToken(
    _ client: AdminClient, _ arguments: Arguments, _ role: Role, _ expires: Int64?
  ) throws(CommandFailure) -> (secret: String, id: String) {
    var attributes = JSONObject([
      ("name", .string(arguments.value("name") ?? role.rawValue)), ("role", .string(role.rawValue)),
    ])
    if let expires { attributes.set("expirationDate", .string(ISO8601.text(unixSeconds: expires))) }
    let answer = try client.create("tokens", attributes, app: arguments.value("app"))
    guard let secret = answer["attributes"]?["token"]?.string, let id = answer["id"]?.string else {
      throw CommandFailure("The server's answer has no token in it; is it of this release?", .dataError)
    }
    return (secret, id)
  }

  private static func createLocalToken(
    _ arguments: Arguments, _ role: Role, _ expires: Int64?
  ) throws(CommandFailure) -> (secret: String, id: String) {
    let options = try StateFolder.options(arguments)
    do throws(StoreFailure) {
      let store = try PackStore(options)
      var app: String?
      if let bundleID = arguments.value("app") {
        guard let found = try store.apps(bundleID: bundleID).items.first else {
          throw .notFound(kind: .app, name: bundleID)
        }
        app = found.id
      }
      let token = try store.createToken(
        name: arguments.value("name") ?? role.rawValue, role: role, app: app, expires: expires,
        actor: Actor(name: "packhouse token create"))
      return (token.secret, token.record.id)
    } catch {
      throw CommandFailure(error.sentence, .dataError)
    }
  }

  private static func expiry(_ arguments: Arguments) throws(CommandFailure) -> Int64? {
    let now = WallClock.system.now()
    if let text = arguments.value("expires") {
      guard arguments.value("days") == nil else { throw CommandFailure("Pass --expires or --days, not both.", .usage) }
      guard let moment = TimeText.moment(text, from: now), moment > now else {
        throw CommandFailure(
          "--expires must be a duration such as 90d or 12h, or a date in the future such as 2030-01-31, not \(text).",
          .usage)
      }
      return moment
    }
    guard let days = arguments.value("days") else { return nil }
    guard let count = Int64(days), (1...36_500).contains(count) else {
      throw CommandFailure("--days must be a whole number from 1 to 36500, not \(days).", .usage)
    }
    return now + count * 86_400
  }
}

extension Verb {
  static let tokenList = Verb(
    words: ["token", "list"], summary: "Show the tokens of the admin API, without their secrets.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only those of this app."), .flag("json", "Print them as JSON."),
    ]
  ) { arguments throws(CommandFailure) in
    let client = try AdminClient(arguments)
    let tokens = try client.list("v1/tokens", try client.appFilter(arguments))
    if arguments.has("json") { return Output.write(["tokens": .array(tokens.map(AdminClient.flattened))]) }
    for token in tokens {
      let state =
        token["attributes"]?["revokedDate"]?.string.map { "revoked \($0)" }
        ?? token["attributes"]?["expirationDate"]?.string.map { "until \($0)" } ?? "no expiry"
      let used = token["attributes"]?["lastUsedDate"]?.string.map { "used \($0)" } ?? "never used"
      Output.columns([
        (token["id"]?.string ?? "", 36), (token["attributes"]?["role"]?.string ?? "", 9),
        (token["attributes"]?["name"]?.string ?? "", 20), (state, 28), (used, 0),
      ])
    }
  }

  static let tokenRevoke = Verb(
    words: ["token", "revoke"], summary: "Revoke a token at once.", positionals: "ID", count: 1...1,
    options: AdminClient.options
  ) { arguments throws(CommandFailure) in
    try AdminClient(arguments).delete("v1/tokens/\(AdminClient.encoded(arguments.positionals[0]))")
  }

  static let tokenRotate = Verb(
    words: ["token", "rotate"], summary: "Give a token a new secret; the old one stays valid for a while.",
    positionals: "ID", count: 1...1,
    options: AdminClient.options + [
      .value(
        "overlap", "TIME", "How long the old secret stays valid, such as 1h or 0s (24h)."),
      .flag("json", "Print the token as JSON."),
    ]
  ) { arguments throws(CommandFailure) in try rotateToken(arguments) }

  private static func rotateToken(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    var attributes = JSONObject()
    if let text = arguments.value("overlap") {
      guard let seconds = TimeText.span(text) else {
        throw CommandFailure("--overlap must be a duration such as 24h, 30min or 0s, not \(text).", .usage)
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
    Output.tell("Store it now: it is not shown again. The old one \(end.map { "ends at \($0)" } ?? "has ended").\n")
  }
}
