import HTTPClient
import Testing
import TestSupport

@testable import Doctor

/// Manifests and answers of servers.
@Suite(.waits) struct ServerAnswersTests {
  private static func manifest(
    _ id: String = "level-1", version: Int = 1, size: Int = 10, url: String = "https://h/p/1"
  ) -> String {
    #"{"assetPacks":[{"downloadPolicy":{"onDemand":{}},"downloadSize":\#(size),"host":{"thirdParty":{}},"#
      + #""id":"\#(id)","url":"\#(url)","version":\#(version)}]}"#
  }

  @Test(arguments: [
    (
      #"{"assetPacks":[]}"#, nil as String?, "manifest.content",
      "The manifest lists no asset pack, and devices delete the packs that a manifest leaves out."
    ),
    (
      "<html>", nil, "manifest.content",
      "The manifest is not JSON: line 1, column 1: expected a value, found \"<\"."
    ),
    (
      manifest(url: "http://h/p/1"), nil, "manifest.pack-url",
      "The URL of level-1 is http://h/p/1, and devices refuse http, on localhost too."
    ),
    (
      manifest(".hidden"), nil, "manifest.content",
      "The manifest breaks a rule at line 1, column 93: assetPacks[0].id: \".hidden\" is not an asset pack "
        + "ID: it starts "
        + "with \".\", expected a letter, a digit or _."
    ),
    (
      manifest("level-2"), manifest("level-1"), "manifest.change",
      "level-1 was in the earlier manifest and is not in this one, and devices delete it."
    ),
    (
      manifest(version: 2), manifest(version: 3), "manifest.change",
      "level-1 fell from version 3 to 2, which devices do not follow."
    ),
    (
      manifest(size: 11), manifest(size: 10), "manifest.change",
      "level-1 changed its size under version 1, and devices do not notice."
    ),
  ])
  func manifestsAreChecked(text: String, before: String?, check: String, sentence: String) {
    let findings = ManifestCheckup(Array(text.utf8), previous: before.map { Array($0.utf8) }).run().findings
    let faults = findings.filter { $0.level == .error }
    #expect(faults.map(\.check) == [check])
    #expect(faults.map(\.sentence) == [sentence])
  }

  private static let fields = [
    ("Content-Length", "10"), ("ETag", "\"x\""), ("Content-Type", "application/json"), ("Cache-Control", "no-cache"),
    ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
  ]

  private static func answer(
    _ status: Int = 200, _ changes: [String: String?] = [:], url: String = "https://h/p/1"
  ) throws -> ClientResponse {
    let kept = fields.filter { changes[$0.0] == nil }.map { (name: $0.0, value: $0.1) }
    let new = changes.compactMap { key, value in value.map { (name: key, value: $0) } }
    return ClientResponse(status: status, fields: kept + new, url: try HTTPSURL(url))
  }

  @Test(
    arguments: [
      (200, ["Content-Length": "12"], "level-1 has Content-Length 12, but its downloadSize in the manifest is 10."),
      (200, ["Content-Length": nil], "level-1 is served without Content-Length."),
      (
        200, ["Content-Encoding": "gzip"],
        "level-1 is served with Content-Encoding: gzip, so its length is not that of the archive."
      ),
      (
        200, ["ETag": "W/\"x\""],
        "level-1 has neither a strong ETag nor Last-Modified, so a download cannot be resumed."
      ),
      (404, [:], "https://h/p/1 answers with the status 404."),
    ] as [(Int, [String: String?], String)])
  func packsAreChecked(status: Int, changes: [String: String?], sentence: String) throws {
    let pack = try #require(ManifestCheckup(Array(Self.manifest().utf8)).run().manifest?.entries.first?.pack)
    let findings = AnswerCheckup.pack(try Self.answer(status, changes), asked: try HTTPSURL("https://h/p/1"), pack)
    #expect(findings.map(\.sentence) == [sentence])
    #expect(findings.allSatisfy { $0.level == .error && $0.fix != nil })
  }

  @Test func rangesAndRedirectsAreChecked() throws {
    let pack = try #require(ManifestCheckup(Array(Self.manifest().utf8)).run().manifest?.entries.first?.pack)
    let asked = try HTTPSURL("https://h/p/1")
    #expect(AnswerCheckup.pack(try Self.answer(), asked: asked, pack) == [])
    #expect(
      AnswerCheckup.range(try Self.answer(200), pack).map(\.sentence) == [
        "level-1 answers a range request with 200, so an interrupted download starts from the beginning."
      ])
    #expect(AnswerCheckup.range(try Self.answer(206, ["Content-Range": "bytes 0-0/10"]), pack) == [])
    #expect(AnswerCheckup.range(try Self.answer(206, ["Content-Range": "bytes 0-0/11"]), pack).count == 1)
    let moved = AnswerCheckup.pack(try Self.answer(url: "https://cdn.example/x"), asked: asked, pack)
    #expect(moved.map(\.sentence) == ["level-1 is redirected to https://cdn.example/x."])
  }

  @Test(
    arguments: [
      (200, [:], 784_111_777, []),
      (200, [:], 784_111_000, ["The server's clock is 777 seconds ahead of this machine's."]),
      (200, [:], 784_112_777, ["The server's clock is 1000 seconds behind this machine's."]),
      (200, ["Content-Type": "text/plain"], 784_111_777, ["The manifest is served as text/plain."]),
      (
        200, ["Cache-Control": "max-age=600"], 784_111_777,
        ["The manifest's Cache-Control is max-age=600, so caches may keep an old one."]
      ),
      (421, [:], 784_111_777, ["https://h/p/1 answers with the status 421."]),
    ] as [(Int, [String: String?], Int64, [String])])
  func manifestAnswersAreChecked(
    status: Int, changes: [String: String?], now: Int64, sentences: [String]
  ) throws {
    let findings = AnswerCheckup.manifest(
      try Self.answer(status, changes), asked: try HTTPSURL("https://h/p/1"), now: now)
    #expect(findings.filter { $0.level != .ok }.map(\.sentence) == sentences)
  }

  @Test func theReportCountsAndEndsWithItsCode() {
    let report = CheckupReport([
      .ok("server.tls", "Good."), .warning("plist.x", "Hm.", fix: "Do."), .error("plist.y", "Bad.", fix: "Do it."),
    ])
    #expect(report.exitCode == 65)
    #expect(
      report.text == """
        ok       server.tls: Good.
        warning  plist.x: Hm.
                 Fix: Do.
        error    plist.y: Bad.
                 Fix: Do it.
        3 checks: 1 error, 1 warning.

        """)
    #expect(CheckupReport([.error("server.tls", "Bad.", fix: "Do it.")]).exitCode == 78)
  }
}
