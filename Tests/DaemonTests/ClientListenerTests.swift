import Testing
import TestSupport

/// HTTP as it comes over the wire, in order and out of order.
@Suite(.waits) struct ClientListenerTests {
  private func serve() throws -> TestDaemon {
    let folder = try TemporaryFolder()
    return try TestDaemon.development(
      [try folder.write("p.aar", try Packs.make("p", Packs.noise(50_000)))], folder: folder)
  }

  private func request(_ daemon: TestDaemon, _ method: String = "GET", _ path: String? = nil, _ more: String = "")
    -> String
  {
    "\(method) \(path ?? daemon.manifestPath) HTTP/1.1\r\nHost: localhost:\(daemon.port)\r\n\(more)\r\n"
  }

  @Test func aConnectionIsUsedAgainAndAgain() throws {
    let daemon = try serve()
    let connection = try daemon.raw()
    for _ in 0..<20 {
      try connection.send(request(daemon))
      #expect(try connection.answer()?.status == 200)
      try connection.send(request(daemon, "GET", "/nothing"))
      #expect(try connection.answer()?.status == 404)
    }
    try connection.send(request(daemon, "GET", nil, "Connection: close\r\n"))
    #expect(try connection.answer()?.fields["connection"] == "close")
    #expect(try connection.isClosed())
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let daemon = try serve()
    let connection = try daemon.raw()
    let pack = "/apps/\(TestDaemon.app)/packs/1/p"
    var text = ""
    for start in 0..<30 {
      text += request(daemon, "GET", pack, "Range: bytes=\(start)-\(start + 40_000 - start * 1000)\r\n")
      text += request(daemon, "HEAD", pack)
      text += request(daemon, "GET", "/nothing")
    }
    try connection.send(text)
    for start in 0..<30 {
      let part = try #require(try connection.answer())
      #expect(part.status == 206)
      #expect(part.body.count == 40_001 - start * 1000)
      #expect(part.fields["content-range"]?.hasPrefix("bytes \(start)-") == true)
      #expect(try connection.answer(toHead: true)?.status == 200)
      #expect(try connection.answer()?.status == 404)
    }
  }

  @Test func hostsThatNoAppAllowsAreMisdirected() throws {
    let daemon = try serve()
    let web = daemon.client()
    for target in [daemon.manifestPath, "/manifest", "/", "/apps/\(TestDaemon.app)/packs/1/p"] {
      for host in ["evil.example", "localhost.evil.example", "127.0.0.2", "a.localhost"] {
        let connection = try daemon.raw()
        try connection.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let answer = try #require(try connection.answer())
        #expect(answer.status == 421, "\(host) \(target)")
        #expect(answer.text.contains("domainAllowList"))
      }
    }
    for host in ["LOCALHOST:\(daemon.port)", "localhost.", "127.0.0.1", "localhost:1"] {
      let connection = try daemon.raw()
      try connection.send("GET \(daemon.manifestPath) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(try connection.answer()?.status == 200, "\(host)")
    }
    #expect(try web.get(daemon.manifestPath).status == 200)
  }

  @Test func unknownPathsAreNotFound() throws {
    let daemon = try serve()
    let web = daemon.client()
    let paths = [
      "/apps", "/apps/\(TestDaemon.app)", "/apps/\(TestDaemon.app)/production",
      "/apps/other/production/manifest.json",
      "/apps/\(TestDaemon.app)/beta/manifest.json", "/apps/\(TestDaemon.app)/packs/2/p",
      "/apps/\(TestDaemon.app)/packs/1/q",
      "/apps/\(TestDaemon.app)/packs/01/p", "/apps/\(TestDaemon.app)/packs/1/p/",
      "/apps/\(TestDaemon.app)/packs/1/p.aar.aar",
      "/apps/\(TestDaemon.app)/packs/1/../1/p", "/manifest/", "/manifest.json", "/v1/apps", "/healthz",
      "/catalog.sqlite",
      "/..%2f..%2fetc/passwd", "//manifest", "/%00",
    ]
    for path in paths { #expect([400, 404].contains(try web.get(path).status), "\(path)") }
  }

  @Test func onlyGetAndHeadAreAnswered() throws {
    let daemon = try serve()
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
      for path in [daemon.manifestPath, "/manifest", "/apps/\(TestDaemon.app)/packs/1/p"] {
        let connection = try daemon.raw()
        try connection.send(request(daemon, method, path, "Content-Length: 0\r\n"))
        let answer = try #require(try connection.answer())
        #expect(answer.status == 405, "\(method) \(path)")
        #expect(answer.fields["allow"] == "GET, HEAD, OPTIONS")
      }
    }
    let connection = try daemon.raw()
    try connection.send(request(daemon, "POST", nil, "Content-Length: 3\r\n") + "abc")
    #expect(try connection.answer()?.status == 405)
  }

  @Test func malformedRequestsAreRefusedAndTheConnectionEnds() throws {
    let daemon = try serve()
    let cases: [(String, Int)] = [
      ("GET \(daemon.manifestPath) HTTP/1.1\r\n\r\n", 400),
      ("GET \(daemon.manifestPath) HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
      ("GET \(daemon.manifestPath) HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
      ("GET  \(daemon.manifestPath) HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
      ("GET \(daemon.manifestPath) HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
      ("GET \(daemon.manifestPath) HTTP/1.1\nHost: localhost\n\n", 400),
      ("GET \(daemon.manifestPath) HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
      ("GET \(daemon.manifestPath) HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", 400),
      ("GET manifest HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "A: b\r\n", count: 2000) + "\r\n", 431),
      ("GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 2\r\n\r\n", 400),
      ("\u{0}\u{1}\r\n\r\n", 400),
    ]
    for (text, status) in cases {
      let connection = try daemon.raw()
      try connection.send(text)
      let answer = try #require(try connection.answer(), "\(text.prefix(60))")
      #expect(answer.status == status, "\(text.prefix(60))")
      #expect(try connection.isClosed(), "\(text.prefix(60))")
    }
    #expect(try daemon.client().get(daemon.manifestPath).status == 200)
  }

  @Test func aHeadThatComesByteByByteIsRead() throws {
    let daemon = try serve()
    let connection = try daemon.raw()
    for byte in request(daemon).utf8 { try connection.send([byte]) }
    #expect(try connection.answer()?.status == 200)
  }

  @Test func http10IsServed() throws {
    let daemon = try serve()
    let plain = try daemon.raw()
    try plain.send("GET \(daemon.manifestPath) HTTP/1.0\r\nHost: localhost\r\n\r\n")
    #expect(try plain.answer()?.status == 200)
    #expect(try plain.isClosed())
    let kept = try daemon.raw()
    for _ in 0..<2 {
      try kept.send("GET \(daemon.manifestPath) HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
      let answer = try #require(try kept.answer())
      #expect(answer.status == 200)
      #expect(answer.fields["connection"]?.lowercased() == "keep-alive")
    }
    // Without a host no app allows it: HTTP/1.0 may leave it out, but nothing is served then.
    let nameless = try daemon.raw()
    try nameless.send("GET \(daemon.manifestPath) HTTP/1.0\r\n\r\n")
    #expect([400, 421].contains(try nameless.answer()?.status ?? 0))
  }
}
