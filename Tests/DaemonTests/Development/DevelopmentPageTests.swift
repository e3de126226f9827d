import Foundation
import SystemIO
import TLS
import Testing
import TestSupport

@testable import Daemon
@testable import Development

/// What `packhouse dev` shows beside what devices get.
@Suite(.waits) struct DevelopmentPageTests {
  private func serve() throws -> TestDaemon {
    let folder = try TemporaryFolder()
    let pack = try folder.write("a.aar", try Packs.make("a-pack", Packs.noise(5000)))
    return try TestDaemon.development([pack], folder: folder)
  }

  @Test func thePageHasTheFirstStepsAndNeedsNothingElse() throws {
    let daemon = try serve()
    let answer = try daemon.client().get("/").expect(200)
    #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
    #expect(answer.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    for part in [
      "https://127.0.0.1:\(daemon.port)</code>", "Certificate Trust Settings", "<svg ", "a-pack</b> version 1",
      "/dev/packhouse.mobileconfig", "Only this machine can connect",
    ] {
      #expect(answer.text.contains(part), "\(part)")
    }
    for forbidden in ["src=\"http", "href=\"http", "@import", "url(", daemon.token] {
      #expect(!answer.text.contains(forbidden), "\(forbidden)")
    }
  }

  @Test func theProfileHoldsTheAuthorityAndNoKey() throws {
    let daemon = try serve()
    let answer = try daemon.client().get("/dev/packhouse.mobileconfig").expect(200)
    #expect(answer.fields["content-type"] == "application/x-apple-aspen-config")
    let object = try PropertyListSerialization.propertyList(from: Data(answer.body), format: nil)
    let profile = try #require(object as? [String: Any])
    #expect(profile["PayloadType"] as? String == "Configuration")
    let payload = try #require((profile["PayloadContent"] as? [[String: Any]])?.first)
    #expect(payload["PayloadType"] as? String == "com.apple.security.root")
    let expected = try PEMText(file: "ca", bytes: daemon.authorityPEM).firstCertificateDER()
    #expect(payload["PayloadContent"] as? Data == Data(expected))
    #expect(UUID(uuidString: payload["PayloadUUID"] as? String ?? "") != nil)
    #expect(payload["PayloadUUID"] as? String != profile["PayloadUUID"] as? String)
    // The same authority is the same profile.
    #expect(try daemon.client().get("/dev/packhouse.mobileconfig").body == answer.body)
  }

  @Test func theLogTellsWhatWasAskedForAndWhatItMeans() throws {
    let daemon = try serve()
    let web = daemon.client()
    _ = try web.get("/manifest?platform=iOS").expect(200)
    _ = try web.get("/apps/\(TestDaemon.app)/packs/1/a-pack", [("Range", "bytes=0-9")]).expect(206)
    _ = try web.get("/apps/com.example.other/production/manifest.json").expect(404)
    let raw = try daemon.raw()
    try raw.send("GET /manifest HTTP/1.1\r\nHost: wrong.example.com\r\n\r\n")
    #expect(try raw.head()?.status == 421)
    let log = try web.get("/dev/log?after=0").expect(200).json
    let events = log["events"] as? [[String: Any]] ?? []
    #expect(events.map { $0["status"] as? Int } == [200, 206, 404, 421])
    #expect(events.map { $0["kind"] as? String } == ["manifest", "pack", "other", "other"])
    #expect(events.map { $0["subject"] as? String } == ["production", "a-pack version 1", "", ""])
    #expect(events.first?["target"] as? String == "/manifest?platform=iOS")
    let hints = log["hints"] as? [String] ?? []
    #expect(hints.contains { $0.contains("wrong.example.com was refused") && $0.contains("BADownloadDomainAllowList") })
    #expect(hints.contains { $0.contains("com.example.other") && $0.contains("--app com.example.other") })
    let later = try web.get("/dev/log?after=3").expect(200).json
    #expect((later["events"] as? [[String: Any]])?.count == 1)
    #expect(later["last"] as? Int == 4)
  }

  @Test func everyRequestIsRecordedWithoutItsSecrets() throws {
    let folder = try TemporaryFolder()
    let pack = try folder.write("a.aar", try Packs.make("a-pack"))
    let record = folder.file("requests.jsonl")
    let daemon = try TestDaemon.development([pack], folder: folder, options: ["--record", record])
    _ = try daemon.client().get("/manifest?device=iPhone&x=%20", [("Authorization", "Bearer secret"), ("X-Odd", "1")])
      .expect(200)
    _ = try daemon.client().get("/nothing").expect(404)
    try daemon.stop()
    let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect(first["method"] as? String == "GET")
    #expect(first["path"] as? String == "/manifest")
    #expect(first["query"] as? String == "device=iPhone&x=%20")
    #expect(first["kind"] as? String == "manifest")
    let fields = (first["fields"] as? [[String]] ?? []).reduce(into: [String: String]()) { $0[$1[0]] = $1[1] }
    #expect(fields["X-Odd"] == "1")
    #expect(fields["Authorization"] == "(left out)")
    #expect(!lines[0].contains("secret"))
  }

  @Test func aServiceHasNoSuchPage() throws {
    let daemon = try TestDaemon.service()
    _ = try daemon.admin().app()
    for path in ["/", "/dev/log", "/dev/packhouse.mobileconfig"] {
      #expect(try daemon.client().get(path).status == 404)
    }
  }
}
