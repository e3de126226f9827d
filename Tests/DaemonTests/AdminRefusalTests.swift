import AssetPacks
import Foundation
import Testing
import TestSupport

/// What the admin API refuses, and how well it says why.
@Suite(.waits) struct AdminRefusalTests {
  @Test func onlyKnownTokensGetIn() throws {
    let daemon = try TestDaemon.service(settings: "authentication: { failures: 1000 },")
    let web = WebClient(daemon.adminBase, daemon.trust)
    let good = daemon.token
    let fields: [String?] = [
      nil, "", "Bearer", "Bearer ", "Bearer x", "Bearer ph_\(String(repeating: "A", count: 43))", "Bearer \(good)x",
      "Bearer \(good.dropLast())", "Basic \(good)", good, "Bearer \(good) \(good)",
    ]
    for field in fields {
      for (method, path) in [
        ("GET", "/v1/apps"), ("POST", "/v1/apps"), ("GET", "/v1/apps/x"), ("POST", "/v1/releases"),
      ] {
        let answer = try web.send(
          method, path, field.map { [(name: "Authorization", value: $0)] } ?? [], body: method == "POST" ? [0x7b] : nil)
        #expect(answer.status == 401, "\(field ?? "none") \(path)")
        #expect(answer.fields["www-authenticate"]?.hasPrefix("Bearer") == true)
        #expect(answer.code == "UNAUTHENTICATED")
        #expect(!answer.text.contains(good))
      }
    }
    for scheme in ["Bearer", "bearer", "BEARER"] {
      #expect(try web.get("/v1/apps", [("Authorization", "\(scheme) \(good)")]).status == 200)
    }
    for path in ["/healthz", "/readyz"] { #expect(try web.get(path).status == 200) }
  }

  @Test func rolesMayDoWhatTheyAreFor() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let viewer = daemon.admin()
    viewer.token = try TestDaemon.makeToken(.viewer, state: daemon.state)
    let publisher = daemon.admin()
    publisher.token = try TestDaemon.makeToken(.publisher, state: daemon.state)
    #expect(try viewer.get("/v1/apps").resources.map(\.id) == [app])
    for answer in [
      try viewer.create("backgroundAssets", ["assetPackIdentifier": "p"], ("app", "apps", app)),
      try viewer.release([("p", nil)], app: app), try viewer.create("apps", ["bundleId": "com.example.other"]),
      try publisher.create("apps", ["bundleId": "com.example.other"]),
      try publisher.update("apps", app, ["reviewPolicy": "none"]),
    ] {
      #expect(answer.status == 403)
      #expect(answer.code == "FORBIDDEN")
      #expect(answer.detail.contains("needs"))
    }
    let version = try publisher.push("p", try Packs.make("p"), app: app)
    #expect(version.text("state") == "COMPLETE")
    _ = try publisher.release([("p", nil)], app: app).expect(201)
  }

  @Test func bodiesThatAreNotJSONAre400() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let bodies = [
      "", " ", "{", "}", "{]", "[", "nul", "{\"data\":}", "{\"data\":{}", "{'data':{}}", "{\"data\":{},}", "{data:{}}",
      "{\"data\":1}{", "{\"data\":\"\u{1}\"}", "{\"data\":\"\\ud800\"}", "{\"data\":01}", "{\"data\":{},\"data\":{}}",
      "// x\n{}", String(repeating: "[", count: 100_000), "{\"data\":\"abc",
    ]
    for body in bodies {
      let answer = try admin.send("POST", "/v1/apps", Array(body.utf8))
      #expect(answer.status == 400, "\(body.prefix(40)): \(answer.text)")
      #expect(answer.code == "MALFORMED_JSON", "\(body.prefix(40))")
      #expect(answer.detail.hasSuffix("."), "\(answer.detail)")
    }
    let bytes: [[UInt8]] = [
      [0xff], Array("{\"data\":\"".utf8) + [0xc0, 0x80] + Array("\"}".utf8), [0xef, 0xbb, 0xbf, 0xff],
    ]
    for body in bytes { #expect(try admin.send("POST", "/v1/apps", body).status == 400) }
    #expect(try admin.get("/v1/apps").resources.isEmpty)
  }

  @Test func wrongShapesAre422AndPointAtTheFault() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let cases: [(String, String, String, String)] = [
      ("apps", "[]", "WRONG_TYPE", ""),
      ("apps", "{}", "MISSING_FIELD", "/data"),
      ("apps", #"{"data":[]}"#, "WRONG_TYPE", "/data"),
      ("apps", #"{"data":{}}"#, "MISSING_FIELD", "/data/type"),
      ("apps", #"{"data":{"type":1}}"#, "WRONG_TYPE", "/data/type"),
      ("apps", #"{"data":{"type":"app"}}"#, "VALUE_INVALID", "/data/type"),
      ("apps", #"{"data":{"type":"apps"}}"#, "MISSING_FIELD", "/data/attributes/bundleId"),
      ("apps", #"{"data":{"type":"apps","attributes":7}}"#, "WRONG_TYPE", "/data/attributes"),
      ("apps", #"{"data":{"type":"apps","attributes":{"bundleId":7}}}"#, "WRONG_TYPE", "/data/attributes/bundleId"),
      ("apps", #"{"data":{"type":"apps","attributes":{"bundleId":""}}}"#, "VALUE_INVALID", "/data/attributes/bundleId"),
      (
        "apps", #"{"data":{"type":"apps","attributes":{"bundleId":"a b/c"}}}"#, "VALUE_INVALID",
        "/data/attributes/bundleId"
      ),
      (
        "apps", #"{"data":{"type":"apps","attributes":{"bundleId":"com.e.x","bundelId":"x"}}}"#, "UNKNOWN_FIELD",
        "/data/attributes/bundelId"
      ),
      ("apps", #"{"data":{"type":"apps"},"meta":{}}"#, "UNKNOWN_FIELD", "/meta"),
      (
        "apps", #"{"data":{"type":"apps","attributes":{"bundleId":"com.e.x","reviewPolicy":"maybe"}}}"#,
        "VALUE_INVALID",
        "/data/attributes/reviewPolicy"
      ),
      (
        "apps", #"{"data":{"type":"apps","attributes":{"bundleId":"com.e.x","domainAllowList":["ok.example",3]}}}"#,
        "WRONG_TYPE", "/data/attributes/domainAllowList/1"
      ),
      (
        "backgroundAssets", #"{"data":{"type":"backgroundAssets","attributes":{"assetPackIdentifier":"p"}}}"#,
        "MISSING_FIELD", "/data/relationships"
      ),
      (
        "backgroundAssets",
        #"{"data":{"type":"backgroundAssets","attributes":{"assetPackIdentifier":"p"},"relationships":{"app":{"data":"#
          + #"{"type":"apps","id":"none"}}}}}"#, "RELATIONSHIP_INVALID", "/data/relationships/app/data/id"
      ),
      (
        "backgroundAssets",
        #"{"data":{"type":"backgroundAssets","attributes":{"assetPackIdentifier":"a b"},"#
          + #""relationships":{"app":{"data":"#
          + "{\"type\":\"apps\",\"id\":\"\(app)\"}}}}}", "VALUE_INVALID", "/data/attributes/assetPackIdentifier"
      ),
      (
        "releases", #"{"data":{"type":"releases","attributes":{"track":"nightly","packs":[]}}}"#, "VALUE_INVALID",
        "/data/attributes/track"
      ),
      (
        "releases", #"{"data":{"type":"releases","attributes":{"track":"production","packs":[]}}}"#, "VALUE_INVALID",
        "/data/attributes/packs"
      ),
      (
        "releases",
        #"{"data":{"type":"releases","attributes":{"track":"production","#
          + #""packs":[{"assetPackIdentifier":"p","version":2}]}}}"#,
        "WRONG_TYPE", "/data/attributes/packs/0/version"
      ),
    ]
    for (type, body, code, pointer) in cases {
      let answer = try admin.send("POST", "/v1/\(type)", Array(body.utf8))
      #expect(answer.status == 422, "\(body): \(answer.text)")
      #expect(answer.code == code, "\(body): \(answer.text)")
      #expect(answer.pointer == pointer, "\(body)")
      #expect((answer.detail.hasSuffix(".") || answer.detail.hasSuffix("?")) && !answer.detail.isEmpty)
    }
    #expect(try admin.get("/v1/apps").resources.count == 1)
  }

  @Test func queriesThatMeanNothingAre400() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let cases = [
      ("/v1/apps?filter%5Btitle%5D=x", "filter[title]"), ("/v1/apps?x=1", "x"), ("/v1/apps?limit=0", "limit"),
      ("/v1/apps?limit=201", "limit"), ("/v1/apps?limit=", "limit"), ("/v1/apps?limit=1e2", "limit"),
      ("/v1/apps?cursor=abc", "cursor"), ("/v1/apps?cursor=-1", "cursor"), ("/v1/apps?sort=name", "sort"),
      ("/v1/apps/\(app)/backgroundAssets?filter%5BbundleId%5D=x", "filter[bundleId]"),
    ]
    for (path, parameter) in cases {
      let answer = try admin.get(path)
      #expect(answer.status == 400, "\(path)")
      #expect(answer.code == "PARAMETER_INVALID", "\(path)")
      #expect(answer.parameter == parameter, "\(path)")
    }
    let pack = try admin.pack("p", app: app)
    #expect(try admin.get("/v1/backgroundAssets/\(pack)/versions?filter%5Bstate%5D=DONE").status == 400)
    #expect(try admin.get("/v1/backgroundAssets/\(pack)/versions?filter%5Bversion%5D=x").status == 400)
  }

  @Test func whatIsNotThereIs404AndWhatIsThereNamesItsMethods() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    for path in [
      "/", "/v1", "/v1/", "/v2/apps", "/v1/app", "/v1/apps/none", "/v1/apps/none/tracks", "/v1/apps/\(app)/nothing",
      "/v1/backgroundAssets/none", "/v1/backgroundAssets/none/versions", "/v1/backgroundAssetVersions/none",
      "/v1/backgroundAssetUploadFiles/none", "/v1/apps/%2e%2e/apps", "/v1/apps/'%20OR%201=1--",
    ] {
      let answer = try admin.get(path)
      #expect(answer.status == 404, "\(path)")
      #expect(answer.code == "NOT_FOUND", "\(path)")
    }
    for (method, path, allow) in [
      ("DELETE", "/v1/apps", "GET, HEAD, POST"), ("POST", "/v1/apps/\(app)", "GET, HEAD, PATCH"),
      ("PUT", "/v1/releases", "POST"), ("GET", "/v1/releases", "POST"), ("GET", "/uploads/a/1", "PUT"),
      ("POST", "/healthz", "GET, HEAD"),
    ] {
      let answer = try admin.send(method, path, method == "GET" || method == "DELETE" ? nil : [0x7b, 0x7d])
      #expect(answer.status == 405, "\(method) \(path)")
      #expect(answer.fields["allow"] == allow, "\(method) \(path)")
      #expect(answer.code == "METHOD_NOT_ALLOWED")
    }
    let twice = try admin.create("apps", ["bundleId": TestDaemon.app])
    #expect(twice.status == 409)
    #expect(twice.code == "ALREADY_EXISTS")
  }

  @Test func aBodyOfMoreThanOneMebibyteIs413() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let largest = Array("{\"data\":\"".utf8) + [UInt8](repeating: 0x61, count: (1 << 20) - 11) + Array("\"}".utf8)
    #expect(try admin.send("POST", "/v1/apps", largest).status == 422)
    #expect(try admin.send("POST", "/v1/apps", largest + [0x20]).status == 413)
    #expect(try admin.send("POST", "/v1/apps", largest + [UInt8](repeating: 0x20, count: 3 << 20)).status == 413)
    // In chunks, where no length announces it.
    let raw = try RawConnection(port: daemon.adminPort, trust: daemon.trust)
    try raw.send(
      "POST /v1/apps HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(daemon.token)\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n")
    let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65536) + Array("\r\n".utf8)
    for _ in 0..<17 { try? raw.send(chunk) }
    #expect(try raw.answer()?.status == 413)
  }

  @Test func listsComeInPages() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let names = (0..<7).map { "pack-\($0)" }
    for name in names { _ = try admin.pack(name, app: app) }
    var seen: [String] = []
    var path = "/v1/apps/\(app)/backgroundAssets?limit=3"
    for _ in 0..<3 {
      let answer = try admin.get(path).expect(200)
      seen += answer.resources.compactMap { $0.text("assetPackIdentifier") }
      let paging = (answer.json["meta"] as? [String: Any])?["paging"] as? [String: Any]
      #expect(paging?["total"] as? Int == 7)
      guard let next = (answer.json["links"] as? [String: Any])?["next"] as? String else { break }
      path = next
    }
    #expect(seen.sorted() == names)
  }
}
