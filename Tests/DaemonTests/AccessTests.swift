import Foundation
import Testing
import TestSupport

/// Tokens, API keys and the audit log over the API, and who may see whose.
@Suite(.waits) struct AccessTests {
  @Test func tokensAreMadeListedRotatedAndRevoked() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let made = try admin.create(
      "tokens", ["name": "ci", "role": "publisher", "expirationDate": "2099-01-01T00:00:00Z"], ("app", "apps", app)
    ).expect(201)
    let token = made.resource
    #expect(made.fields["location"] == "/v1/tokens/\(token.id)")
    let secret = try #require(token.text("token"))
    #expect(secret.hasPrefix("ph_"))
    let publisher = daemon.admin()
    publisher.token = secret
    _ = try publisher.push("p", try Packs.make("p"), app: app)
    let seen = try admin.get("/v1/tokens/\(token.id)").expect(200).resource
    #expect(seen["token"] == nil)
    #expect(seen.text("role") == "publisher")
    #expect(seen.text("expirationDate") == "2099-01-01T00:00:00Z")
    #expect(seen.text("lastUsedDate") != nil)
    #expect(seen["revokedDate"] == nil)
    let list = try admin.get("/v1/tokens").expect(200)
    #expect(list.resources.count == 2)
    #expect(!list.text.contains("ph_"))
    #expect(try admin.get("/v1/tokens?filter%5Bapp%5D=\(app)").resources.map(\.id) == [token.id])

    let rotated = try admin.send("POST", "/v1/tokens/\(token.id)/rotation").expect(200).resource
    #expect(rotated.text("formerTokenExpirationDate") != nil)
    let next = try #require(rotated.text("token"))
    for secret in [secret, next] {
      publisher.token = secret
      #expect(try publisher.get("/v1/apps").status == 200)
    }
    let last = try admin.send(
      "POST", "/v1/tokens/\(token.id)/rotation",
      json: ["data": ["type": "tokenRotations", "attributes": ["overlap": 0]]]
    ).expect(200).resource
    #expect(last["formerTokenExpirationDate"] == nil)
    publisher.token = next
    #expect(try publisher.get("/v1/apps").status == 401)
    publisher.token = last.text("token")
    #expect(try publisher.get("/v1/apps").status == 200)

    #expect(try admin.send("DELETE", "/v1/tokens/\(token.id)").status == 204)
    #expect(try publisher.get("/v1/apps").status == 401)
    #expect(try admin.get("/v1/tokens/\(token.id)").resource.text("revokedDate") != nil)
    let refused = try admin.send("POST", "/v1/tokens/\(token.id)/rotation")
    #expect(refused.status == 409)
    #expect(refused.code == "STATE_NOT_ALLOWED")
  }

  @Test func bodiesOfTokensAreChecked() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let cases: [([String: Any], String, String)] = [
      ([:], "MISSING_FIELD", "name"), (["name": "x"], "MISSING_FIELD", "role"),
      (["name": "x", "role": "root"], "VALUE_INVALID", "role"),
      (["name": "", "role": "admin"], "VALUE_INVALID", "name"),
      (["name": "x", "role": "admin", "expirationDate": "2001-01-01T00:00:00Z"], "VALUE_INVALID", "expirationDate"),
      (["name": "x", "role": "admin", "expirationDate": "soon"], "VALUE_INVALID", "expirationDate"),
      (["name": "x", "role": "admin", "secret": "y"], "UNKNOWN_FIELD", "secret"),
    ]
    for (attributes, code, field) in cases {
      let answer = try admin.create("tokens", attributes)
      #expect(answer.status == 422, "\(attributes)")
      #expect(answer.code == code, "\(attributes)")
      #expect(answer.pointer == "/data/attributes/\(field)", "\(attributes)")
    }
    let app = try admin.create("tokens", ["name": "x", "role": "admin"], ("app", "apps", "none"))
    #expect(app.code == "RELATIONSHIP_INVALID")
  }

  @Test func anAdminOfOneAppSeesAndGivesNothingOfOthers() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let other = try admin.app("com.example.other")
    let foreign = try admin.create("tokens", ["name": "o", "role": "viewer"], ("app", "apps", other)).expect(201)
      .resource
    let one = daemon.admin()
    one.token = try admin.create("tokens", ["name": "one", "role": "admin"], ("app", "apps", app)).expect(201)
      .resource.text("token")
    #expect(try one.get("/v1/tokens").resources.compactMap { $0.text("name") } == ["one"])
    for path in [
      "/v1/apps/\(other)", "/v1/tokens/\(foreign.id)", "/v1/tokens?filter%5Bapp%5D=\(other)",
      "/v1/auditEvents?filter%5Bapp%5D=\(other)", "/v1/auditEvents/1000", "/v1/webhooks?filter%5Bapp%5D=\(other)",
    ] { #expect(try one.get(path).status == 404, "\(path)") }
    #expect(try one.send("DELETE", "/v1/tokens/\(foreign.id)").status == 404)
    #expect(try one.send("POST", "/v1/tokens/\(foreign.id)/rotation").status == 404)
    #expect(try one.create("tokens", ["name": "x", "role": "admin"]).status == 403)
    #expect(try one.create("tokens", ["name": "x", "role": "admin"], ("app", "apps", other)).status == 404)
    #expect(try one.create("tokens", ["name": "x", "role": "viewer"], ("app", "apps", app)).status == 201)
    let events = try one.get("/v1/auditEvents?limit=200").expect(200).resources
    #expect(!events.isEmpty)
    for event in events {
      let related = (event.json["relationships"] as? [String: Any])?["app"] as? [String: Any]
      #expect((related?["data"] as? [String: Any])?["id"] as? String == app)
    }
    // A publisher sees none of it.
    one.token = try TestDaemon.makeToken(.publisher, state: daemon.state)
    for path in ["/v1/tokens", "/v1/apiKeys", "/v1/auditEvents", "/v1/webhooks"] {
      #expect(try one.get(path).status == 403, "\(path)")
    }
  }

  @Test func theAuditLogSaysWhoFromWhere() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    _ = try admin.update("apps", app, ["name": "New"]).expect(200)
    let event = try #require(
      try admin.get("/v1/auditEvents?filter%5Baction%5D=app.name&filter%5Bapp%5D=\(app)").expect(200).resources.first)
    #expect(event.text("actor") == "admin")
    #expect(event.text("before") == TestDaemon.app)
    #expect(event.text("after") == "New")
    #expect(event.text("address") == "127.0.0.1")
    #expect(event.text("userAgent") == "packhouse")
    #expect(try admin.get("/v1/auditEvents/\(event.id)").expect(200).resource.text("action") == "app.name")
    #expect(try admin.get("/v1/auditEvents?filter%5Bfrom%5D=2099-01-01T00:00:00Z").resources.isEmpty)
    #expect(try admin.get("/v1/auditEvents?filter%5Bfrom%5D=x").parameter == "filter[from]")
    for method in ["DELETE", "PATCH", "POST"] {
      #expect(try admin.send(method, "/v1/auditEvents/\(event.id)").status == 405)
    }
  }

  @Test func guessingIsSlowedAndGoodTokensGoOn() throws {
    let daemon = try TestDaemon.service(settings: "authentication: { failures: 5, failurePause: \"1 h\" },")
    let admin = daemon.admin()
    #expect(try admin.get("/v1/apps").status == 200)
    let guesser = daemon.admin()
    var statuses: [Int] = []
    for index in 0..<8 {
      guesser.token = "ph_\(index)"
      let answer = try guesser.get("/v1/apps")
      statuses.append(answer.status)
      if answer.status == 429 {
        #expect(answer.code == "TOO_MANY_FAILED_ATTEMPTS")
        #expect((Int(answer.fields["retry-after"] ?? "") ?? 0) > 3000)
      }
    }
    #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
    #expect(try admin.get("/v1/apps").status == 200)
    let metrics = try admin.get("/metrics").expect(200).text
    #expect(metrics.contains(#"packhouse_authentication_failures_total{reason="token"} 5"#))
    #expect(metrics.contains(#"packhouse_authentication_failures_total{reason="slowed"} 3"#))
  }

  /// What a script for App Store Connect does, with openssl alone.
  @Test func tokensThatARegisteredKeySignsAreTaken() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let key = daemon.folder.file("AuthKey.p8")
    func openssl(_ words: String...) throws -> String {
      let process = try ChildProcess("/usr/bin/openssl", words, errorPath: daemon.folder.file("openssl"))
      defer { _ = try? process.finish() }
      return try process.rest()
    }
    _ = try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
    let publicKey = try openssl("pkey", "-in", key, "-pubout")
    let privateKey = try String(contentsOfFile: key, encoding: .utf8)
    let refused = try admin.create("apiKeys", ["role": "publisher", "publicKey": privateKey])
    #expect(refused.pointer == "/data/attributes/publicKey")
    #expect(refused.detail.contains("private key"))
    let record = try admin.create("apiKeys", ["role": "publisher", "publicKey": publicKey], ("app", "apps", app))
      .expect(201).resource
    func base64(_ bytes: some Sequence<UInt8>) -> String {
      Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    let now = Int(Date().timeIntervalSince1970)
    let header = #"{"alg":"ES256","kid":"\#(record.id)","typ":"JWT"}"#
    let claims = #"{"iss":"x","iat":\#(now),"exp":\#(now + 600),"aud":"appstoreconnect-v1"}"#
    let signed = base64(header.utf8) + "." + base64(claims.utf8)
    let message = try daemon.folder.write("message", signed)
    let signature = daemon.folder.file("signature")
    _ = try openssl("dgst", "-sha256", "-sign", key, "-out", signature, message)
    let der = [UInt8](try Data(contentsOf: URL(fileURLWithPath: signature)))
    func number(_ place: Int) -> [UInt8] {
      let digits = der[(place + 2)..<(place + 2 + Int(der[place + 1]))].drop { $0 == 0 }
      return Array(repeating: 0, count: 32 - digits.count) + digits
    }
    let raw = number(2) + number(4 + Int(der[3]))
    let client = daemon.admin()
    client.token = signed + "." + base64(raw)
    let version = try client.push("p", try Packs.make("p"), app: app)
    #expect(version.text("state") == "COMPLETE")
    #expect(try client.get("/v1/tokens").status == 403)
    let event = try #require(try admin.get("/v1/auditEvents?filter%5Baction%5D=pack.create").resources.first)
    #expect(event.text("tokenId") == record.id)
    #expect(try admin.send("DELETE", "/v1/apiKeys/\(record.id)").status == 204)
    #expect(try client.get("/v1/apps").status == 401)
  }

  @Test func theCommandLineManagesTokensAndShowsTheAuditLog() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let authority = try daemon.folder.write("ca.pem", daemon.authorityPEM)
    let environment = [
      "PACKHOUSE_SERVER": daemon.adminBase, "PACKHOUSE_TOKEN": daemon.token, "PACKHOUSE_CA": authority,
    ]
    func run(_ words: String...) throws -> (exit: ChildProcess.Exit, json: [String: Any], output: String) {
      let process = try ChildProcess(
        ChildProcess.packhouse, words, environment: environment,
        errorPath: daemon.folder.file("verb-\(UUID().uuidString)"))
      let output = try process.rest()
      let exit = try process.finish()
      let object = (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
      return (exit, object ?? [:], output + process.errors)
    }
    let made = try run(
      "token", "create", "--role", "publisher", "--app", TestDaemon.app, "--expires", "90d", "--name", "ci", "--json")
    #expect(made.exit == .code(0), "\(made.output)")
    let client = daemon.admin()
    client.token = made.json["token"] as? String
    #expect(try client.get("/v1/apps").resources.map(\.id) == [app])
    let id = made.json["id"] as? String ?? ""
    let rotated = try run("token", "rotate", id, "--overlap", "0s", "--json")
    #expect(rotated.exit == .code(0), "\(rotated.output)")
    #expect(try client.get("/v1/apps").status == 401)
    client.token = rotated.json["token"] as? String
    #expect(try client.get("/v1/apps").status == 200)
    let list = try run("token", "list", "--app", TestDaemon.app, "--json").json["tokens"] as? [[String: Any]]
    #expect(list?.map { $0["name"] as? String } == ["ci"])
    #expect(try run("token", "list").output.contains("publisher"))
    #expect(try run("token", "revoke", id).exit == .code(0))
    #expect(try client.get("/v1/apps").status == 401)
    #expect(try run("token", "create", "--role", "boss").exit == .code(64))
    #expect(try run("token", "create", "--role", "viewer", "--expires", "yesterday").exit == .code(64))
    // On the server itself, without any token.
    let local = try run(
      "token", "create", "--config", daemon.folder.file("packhouse.json"), "--role", "viewer", "--json")
    #expect(local.exit == .code(0), "\(local.output)")
    client.token = local.json["token"] as? String
    #expect(try client.get("/v1/apps").status == 200)

    let audit = try run("audit", "--app", TestDaemon.app, "--action", "token.*", "--json")
    let events = audit.json["auditEvents"] as? [[String: Any]] ?? []
    #expect(events.map { $0["action"] as? String } == ["token.revoke", "token.rotate", "token.create"])
    #expect(events.first?["address"] as? String == "127.0.0.1")
    #expect((events.first?["userAgent"] as? String)?.hasPrefix("packhouse/") == true)
    #expect(try run("audit", "--limit", "2").output.split(separator: "\n").count == 2)
    #expect(try run("webhook", "list").exit == .code(0))
    let refused = try run("webhook", "add", "https://hooks.example.com/")
    #expect(refused.exit == .code(65))
    #expect(refused.output.contains("webhooks.hosts"))
  }
}
