import Digests
import Foundation
import TestSupport
import Testing

/// The daemon on a state folder of an earlier build: what devices, the admin API and webhooks get is what they got.
@Suite struct KeptStateTests {
  private static let game = "com.example.game"

  /// A daemon on a copy of the folder, which devices reach as packs.example.com.
  private func serve(_ kept: KeptState) throws -> (TestDaemon, WebhookReceiver) {
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let path = try folder.write("receivers.pem", authority.authority.certificatePEM)
    let daemon = try TestDaemon.service(
      settings: """
        webhooks: {
          hosts: ["localhost", "hooks.example.com"], privateNetworks: ["127.0.0.0/8", "::1"], authority: "\(path)",
          firstRetry: "1 s",
        },
        retention: { supersededVersions: 1, supersededTime: "0 ms" },
        """, authority: authority, publicBaseURL: kept.text("publicBaseURL"),
      names: ["packs.example.com", "localhost", "127.0.0.1"], state: kept)
    daemon.kept = folder
    return (daemon, try WebhookReceiver(authority))
  }

  @Test func devicesGetTheSameBytesAtTheSameURLs() throws {
    let kept = try KeptState("format-8")
    let (daemon, _) = try serve(kept)
    let device = try daemon.raw(host: "packs.example.com")
    for (target, known) in kept.manifests.merging(kept.archives, uniquingKeysWith: { $1 }) {
      try device.send("GET \(target) HTTP/1.1\r\nHost: packs.example.com\r\n\r\n")
      let answer = try #require(try device.answer())
      #expect(answer.status == known.status, "\(target)")
      guard known.status == 200 else { continue }
      #expect(Packs.hash(answer.body) == known.sha256, "\(target)")
      #expect(answer.fields["etag"]?.contains(known.sha256 ?? "-") == true, "\(target)")
    }
  }

  @Test func theAdminAPISaysWhatItSaid() throws {
    let kept = try KeptState("format-8")
    let (daemon, _) = try serve(kept)
    let admin = daemon.admin()
    for (path, known) in kept.object("resources") {
      let answer = try admin.get(path.hasSuffix("/quota") ? path : "\(path)?limit=200").expect(200)
      let found = answer.resources + (answer.json["data"] is [Any] ? [] : [answer.resource])
      for resource in (known as? [[String: Any]] ?? [known as? [String: Any] ?? [:]]) {
        let id = resource["id"] as? String ?? ""
        let now = try #require(found.first { $0.id == id }, "\(path) \(id)")
        for difference in Self.differences(resource, now.json, "\(path) \(id)") { Issue.record("\(difference)") }
      }
    }
    var lines: [String] = []
    var next: String? = "/v1/auditEvents?limit=200"
    while let path = next {
      let answer = try admin.get(path).expect(200)
      lines += answer.resources.map { event in
        let names = ["date", "actor", "action", "subject", "before", "after", "reason"]
        return ([event.id] + names.map { event.text($0) ?? "" }).joined(separator: "|") + "\n"
      }
      next = (answer.json["links"] as? [String: Any])?["next"] as? String
    }
    let rows = try #require(kept.object("audit")["rows"] as? Int)
    let text = lines.reversed().prefix(rows).joined()
    #expect(Packs.hash(Array(text.utf8)) == kept.object("audit")["sha256"] as? String)
    #expect(text.hasPrefix("1|") && text.contains("\n\(rows)|"))
  }

  @Test func whatHappenedBeforeIsStillDelivered() throws {
    let kept = try KeptState("format-8")
    let (daemon, receiver) = try serve(kept)
    let admin = daemon.admin()
    for (webhook, name) in [("gameOnly", "gameOnlyEvents"), ("late", "lateEvents")] {
      let known = kept.list(name)
      let start = receiver.taken.count
      let id = kept.object("webhooks")[webhook] as? String ?? ""
      _ = try admin.update("webhooks", id, ["url": receiver.url, "enabled": true]).expect(200)
      let taken = try receiver.wait(name) { $0.count >= start + known.count }[start...].prefix(known.count)
      for (delivery, event) in zip(taken, known) {
        var expected = event
        let about = expected.removeValue(forKey: "about") as? [String: String] ?? [:]
        let data = delivery.json["data"] as? [String: Any] ?? [:]
        for difference in Self.differences(expected, data["attributes"], "\(event)") { Issue.record("\(difference)") }
        let relationships = data["relationships"] as? [String: Any] ?? [:]
        for (name, id) in about {
          let found = (relationships[name] as? [String: Any])?["data"] as? [String: Any]
          #expect(found?["id"] as? String == id, "\(name) of \(event)")
        }
      }
      _ = try admin.update("webhooks", id, ["enabled": false]).expect(200)
    }
    // What was a delivery already goes out as it is.
    let start = receiver.taken.count
    let waiting = kept.list("waitingDeliveries")
    let id = kept.object("webhooks")["waiting"] as? String ?? ""
    _ = try admin.update("webhooks", id, ["url": receiver.url, "enabled": true]).expect(200)
    let taken = try receiver.wait("what waits") { $0.count >= start + waiting.count }[start...]
    for (delivery, known) in zip(taken, waiting) {
      #expect(NSDictionary(dictionary: delivery.json) == NSDictionary(dictionary: known))
    }
  }

  @Test func aReleaseWithATokenOfBeforeIsLive() throws {
    let kept = try KeptState("format-8")
    let (daemon, receiver) = try serve(kept)
    let admin = daemon.admin()
    let app = try #require(kept.apps[Self.game])
    let webhook = kept.object("webhooks")["waiting"] as? String ?? ""
    _ = try admin.update("webhooks", webhook, ["url": receiver.url, "enabled": true]).expect(200)
    admin.token = kept.text("publisherToken")
    let version = try admin.push("voices-ja", try Packs.make("voices-ja", platforms: ["iOS", "visionOS"]), app: app)
    #expect(version.text("state") == "COMPLETE")
    // The numbers go on where they were.
    #expect(version.text("version") == "3")
    _ = try admin.release([("voices-ja", nil)], app: app).expect(201)
    let device = try daemon.raw(host: "packs.example.com")
    try device.send("GET /apps/\(Self.game)/production/manifest.json HTTP/1.1\r\nHost: packs.example.com\r\n\r\n")
    let manifest = try #require(try device.answer()).json["assetPacks"] as? [[String: Any]] ?? []
    let pack = try #require(manifest.first { $0["id"] as? String == "voices-ja" })
    #expect(pack["version"] as? Int == 3)
    let url = (pack["downloads"] as? [String: Any])?["url"] as? String ?? pack["url"] as? String ?? ""
    #expect(url.hasPrefix("https://packs.example.com/apps/\(Self.game)/packs/3/"), "\(pack)")
    try receiver.wait("the release") { deliveries in
      deliveries.contains {
        $0.words.hasSuffix("voices-ja 3 on production READY_FOR_DISTRIBUTION")
      }
    }
    // And it is all there after another start.
    try daemon.stop()
    try daemon.start()
    let again = try daemon.raw(host: "packs.example.com")
    for (target, known) in kept.archives where known.status == 200 {
      try again.send("HEAD \(target) HTTP/1.1\r\nHost: packs.example.com\r\n\r\n")
      let answer = try #require(try again.answer(toHead: true))
      #expect(answer.fields["etag"] == "\"\(known.sha256 ?? "")\"", "\(target)")
    }
  }

  /// Where `found` lacks something of `known`, or has it otherwise; it may have more.
  private static func differences(_ known: Any, _ found: Any?, _ path: String) -> [String] {
    if let known = known as? [String: Any] {
      guard let found = found as? [String: Any] else { return ["\(path) is not there"] }
      return known.keys.sorted().flatMap { differences(known[$0] ?? NSNull(), found[$0], "\(path) \($0)") }
    }
    if let known = known as? [Any] {
      guard let found = found as? [Any], found.count == known.count else { return ["\(path): another list"] }
      return known.indices.flatMap { differences(known[$0], found[$0], "\(path) \($0)") }
    }
    let isSame = NSArray(object: known) == NSArray(object: found ?? NSNull())
    return isSame ? [] : ["\(path): \(found ?? "nothing") instead of \(known)"]
  }
}
