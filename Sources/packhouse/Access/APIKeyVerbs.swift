import JSONText
import SystemIO

extension Verb {
  static let apiKeyAdd = Verb(
    words: ["api-key", "add"], summary: "Register a public key whose owner signs tokens, as for App Store Connect.",
    positionals: "PUBLIC.pem", count: 1...1,
    options: AdminClient.options + [
      .value("role", "ROLE", "viewer, publisher, reviewer or admin."),
      .value("name", "NAME", "Its name in the audit log (the role)."),
      .value("app", "BUNDLE_ID", "Restrict it to this app."),
      .value("issuer", "ISS", "The iss that its tokens must have (any)."), .flag("json", "Print it as JSON."),
    ], details: "openssl pkey -in AuthKey.p8 -pubout prints the public half of a key."
  ) { arguments throws(CommandFailure) in
    let role = try tokenRole(arguments)
    let bytes: [UInt8]
    do throws(SystemFailure) { bytes = try readFile(arguments.positionals[0], limit: 1 << 16) } catch {
      throw CommandFailure(error.sentence, .noInput)
    }
    var attributes = JSONObject([
      ("role", .string(role.rawValue)), ("publicKey", .string(String(decoding: bytes, as: UTF8.self))),
    ])
    if let name = arguments.value("name") { attributes.set("name", .string(name)) }
    if let issuer = arguments.value("issuer") { attributes.set("issuer", .string(issuer)) }
    let key = try AdminClient(arguments).create("apiKeys", attributes, app: arguments.value("app"))
    if arguments.has("json") { return Output.write(["id": key["id"] ?? .null, "role": .string(role.rawValue)]) }
    Output.write("\(key["id"]?.string ?? "")\n")
  }

  static let apiKeyList = Verb(
    words: ["api-key", "list"], summary: "Show the registered public keys.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only those of this app."), .flag("json", "Print them as JSON."),
    ]
  ) { arguments throws(CommandFailure) in
    let client = try AdminClient(arguments)
    let keys = try client.list("v1/apiKeys", try client.appFilter(arguments))
    if arguments.has("json") { return Output.write(["apiKeys": .array(keys.map(AdminClient.flattened))]) }
    for key in keys {
      Output.columns([
        (key["id"]?.string ?? "", 11), (key["attributes"]?["role"]?.string ?? "", 10),
        (key["attributes"]?["name"]?.string ?? "", 20),
        (key["attributes"]?["revokedDate"]?.string.map { "revoked \($0)" } ?? "valid", 0),
      ])
    }
  }

  static let apiKeyRevoke = Verb(
    words: ["api-key", "revoke"], summary: "Revoke a public key, and with it all its tokens, at once.",
    positionals: "ID",
    count: 1...1, options: AdminClient.options
  ) { arguments throws(CommandFailure) in
    try AdminClient(arguments).delete("v1/apiKeys/\(AdminClient.encoded(arguments.positionals[0]))")
  }
}
