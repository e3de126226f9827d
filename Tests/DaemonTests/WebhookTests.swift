import Digests
import Foundation
import SystemIO
import Testing
import Values
import TestSupport

/// What happens reaches a receiver, whatever happens to the daemon.
@Suite(.waits) struct WebhookTests {
  private static let story = [
    "BACKGROUND_ASSET_VERSION_STATE_UPDATED p 1 PROCESSING",
    "BACKGROUND_ASSET_VERSION_STATE_UPDATED p 1 COMPLETE",
    "BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED p 1 on internal READY_FOR_TESTING",
  ]

  @Test func eventsComeSignedAndInOrder() throws {
    let (daemon, receiver) = try TestDaemon.withWebhooks()
    let admin = daemon.admin()
    let app = try admin.app()
    let webhook = try admin.webhook(receiver.url, app: app)
    #expect(webhook["secret"] == nil)
    let version = try admin.push("p", try Packs.make("p"), app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let live = "BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED p 1 on production READY_FOR_DISTRIBUTION"
    let deliveries = try receiver.wait { $0.last?.words == live }
    #expect(deliveries.map(\.words).filter { !$0.contains("APP_STORE") } == Self.story)
    #expect(
      deliveries.dropFirst(3).map { $0.attributes["newValue"] as? String } == [
        "READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "PROCESSING_FOR_DISTRIBUTION", "READY_FOR_DISTRIBUTION",
      ])
    for delivery in deliveries {
      #expect(delivery.fields["method"] == "POST")
      #expect(delivery.fields["path"] == "/hook")
      #expect(delivery.fields["content-type"] == "application/json")
      let time = delivery.fields["x-packhouse-timestamp"] ?? ""
      #expect(abs((Int64(time) ?? 0) - WallClock.system.now()) < 100)
      let code = MessageAuthentication.code(
        key: Array("0123456789abcdef".utf8), message: Array("\(time).".utf8) + delivery.body)
      #expect(delivery.fields["x-packhouse-signature"] == "hmacsha256=\(hexadecimal(code))")
      let data = delivery.json["data"] as? [String: Any]
      #expect(data?["id"] as? String == delivery.id)
      let about = (data?["relationships"] as? [String: Any])?["backgroundAssetVersion"] as? [String: Any]
      #expect((about?["data"] as? [String: Any])?["id"] as? String == version.id)
    }
    // An answer is noted a moment after it was given.
    let deadline = ContinuousClock.now + .seconds(60)
    var log = try admin.deliveries(webhook.id)
    while log.contains(where: { $0.text("deliveryState") == "PENDING" }), ContinuousClock.now < deadline {
      usleep(10_000)
      log = try admin.deliveries(webhook.id)
    }
    #expect(log.map(\.id) == deliveries.reversed().map(\.id))
    #expect(Set(log.compactMap { $0.text("deliveryState") }) == ["SUCCEEDED"])
    #expect(!(try admin.get("/v1/webhooks").text.contains("0123456789abcdef")))
  }

  @Test func whatFailsIsSentAgainAndNothingOvertakesIt() throws {
    let (daemon, receiver) = try TestDaemon.withWebhooks()
    let admin = daemon.admin()
    let app = try admin.app()
    receiver.answer([500, 302, 404], fields: [("Location", "https://localhost:\(receiver.port)/other")])
    let webhook = try admin.webhook(receiver.url, app: app)
    _ = try admin.push("p", try Packs.make("p"), app: app)
    let all = try receiver.wait { $0.filter { $0.status == 200 }.count == 3 }
    #expect(all.filter { $0.status == 200 }.map(\.words) == Self.story)
    #expect(all.prefix(4).map(\.status) == [500, 302, 404, 200])
    #expect(Set(all.prefix(4).map(\.id)).count == 1)
    #expect(Set(all.map { $0.fields["path"] }) == ["/hook"])
    // The first of three: it was noted before the second was sent.
    let first = try #require(try admin.deliveries(webhook.id).last)
    #expect(first.number("attempts") == 4)
    #expect(first["errorMessage"] == nil)
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func anEndInTheMiddleLosesNothing(_ signal: Int32) throws {
    let (daemon, receiver) = try TestDaemon.withWebhooks()
    let admin = daemon.admin()
    let app = try admin.app()
    _ = try admin.webhook(
      receiver.url, app: app,
      events: ["BACKGROUND_ASSET_VERSION_STATE_UPDATED", "BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED"])
    var expected: [String] = []
    for number in 1...4 {
      // Some attempts fail, so that deliveries wait when the daemon ends.
      receiver.answer(number % 2 == 0 ? [503, 200, 503] : [])
      _ = try daemon.admin().push("p", try Packs.make("p", Packs.noise(1000)), app: app)
      expected += Self.story.map { $0.replacing("p 1", with: "p \(number)") }
      daemon.process.send(signal)
      #expect(try daemon.process.finish() == (signal == SIGKILL ? .signal(SIGKILL) : .code(0)))
      try daemon.start()
    }
    // At least once: what comes twice has the same id.
    try receiver.wait { deliveries in
      Set(deliveries.filter { $0.status == 200 }.map(\.words)).count == expected.count
    }
    var seen: Set<String> = []
    let once = receiver.taken.filter { seen.insert($0.id).inserted }
    #expect(once.map(\.words) == expected)
  }

  @Test func aReceiverThatIsGoneIsGivenUpAndGoesOnWhenItIsSwitchedOnAgain() throws {
    let (daemon, receiver) = try TestDaemon.withWebhooks("retryFor: \"2 s\",")
    let admin = daemon.admin()
    let app = try admin.app()
    let webhook = try admin.webhook(receiver.url, app: app)
    receiver.answer(Array(repeating: 500, count: 1000))
    _ = try admin.push("p", try Packs.make("p"), app: app)
    let off = try admin.wait(webhook: webhook.id) { $0["enabled"] as? Bool == false }
    #expect(off.text("disabledReason")?.contains("500") == true)
    let events = try admin.get("/v1/auditEvents?filter%5Baction%5D=webhook.disable").expect(200).resources
    #expect(events.map { $0.text("actor") } == ["packhouse"])
    let ping = try admin.create("webhookPings", [:], ("webhook", "webhooks", webhook.id))
    #expect(ping.status == 409)
    #expect(ping.code == "STATE_NOT_ALLOWED")
    #expect(try daemon.admin().get("/metrics").text.contains("packhouse_webhooks_disabled_total 1"))
    receiver.answer([])
    _ = try admin.update("webhooks", webhook.id, ["enabled": true]).expect(200)
    try receiver.wait { $0.filter { $0.status == 200 }.count == 3 }
    #expect(receiver.taken.map(\.words) == Self.story)
  }

  @Test func targetsAreCheckedWhenTheyAreMadeAndWhenTheyAreUsed() throws {
    let (daemon, receiver) = try TestDaemon.withWebhooks("retryFor: \"1 h\",", privateNetworks: "")
    let admin = daemon.admin()
    for url in [
      "http://localhost/", "https://example.com/", "https://127.0.0.1:\(receiver.port)/", "https://[::1]/", "x",
      "https://user:word@localhost/", "https://169.254.169.254/latest/meta-data",
    ] {
      let answer = try admin.create("webhooks", ["url": url])
      #expect(answer.status == 422, "\(url)")
      #expect(answer.code == "WEBHOOK_TARGET_REFUSED", "\(url)")
      #expect(answer.pointer == "/data/attributes/url")
    }
    // The name is on the list; what it stands for is looked at when it is connected to.
    let webhook = try admin.webhook(receiver.url)
    _ = try admin.create("webhookPings", [:], ("webhook", "webhooks", webhook.id)).expect(201)
    let deadline = ContinuousClock.now + .seconds(60)
    var message: String?
    while message == nil, ContinuousClock.now < deadline {
      message = try admin.deliveries(webhook.id).first?.text("errorMessage")
      usleep(20_000)
    }
    #expect(message?.contains("may not be connected to") == true, "\(message ?? "none")")
    #expect(receiver.deliveries.isEmpty)
  }

  @Test func pingsAndRedeliveries() throws {
    let (daemon, receiver) = try TestDaemon.withWebhooks()
    let admin = daemon.admin()
    let webhook = try admin.webhook(receiver.url, secret: nil)
    #expect(webhook.text("secret")?.utf8.count == 64)
    let ping = try admin.create("webhookPings", [:], ("webhook", "webhooks", webhook.id)).expect(201).resource
    let first = try receiver.wait { $0.count == 1 }[0]
    #expect(first.event == "WEBHOOK_PING")
    #expect(first.id == ping.id)
    let again = try admin.create("webhookDeliveries", [:], ("template", "webhookDeliveries", ping.id)).expect(201)
      .resource
    #expect(again["redelivery"] as? Bool == true)
    let second = try receiver.wait { $0.count == 2 }[1]
    #expect(second.body == first.body)
    #expect(second.id == again.id)
    // A long answer does no harm, and neither does a slow queue of refusals.
    receiver.answer([], body: [UInt8](repeating: 0x61, count: 1 << 20))
    _ = try admin.create("webhookPings", [:], ("webhook", "webhooks", webhook.id)).expect(201)
    try receiver.wait { $0.count == 3 }
    receiver.answer([500], body: [])
    let failing = try admin.create("webhookPings", [:], ("webhook", "webhooks", webhook.id)).expect(201).resource
    try receiver.wait { $0.count >= 4 }
    let unknown = try admin.create("webhookDeliveries", [:], ("template", "webhookDeliveries", "none"))
    #expect(unknown.code == "RELATIONSHIP_INVALID")
    try receiver.wait { $0.filter { $0.id == failing.id && $0.status == 200 }.count == 1 }
    let end = ContinuousClock.now + .seconds(60)
    while try admin.get("/v1/webhookDeliveries/\(failing.id)").resource.text("deliveryState") == "PENDING",
      ContinuousClock.now < end
    { usleep(10_000) }
    #expect(try admin.send("DELETE", "/v1/webhookDeliveries/\(failing.id)").status == 409)
    #expect(try admin.send("DELETE", "/v1/webhooks/\(webhook.id)").status == 204)
    #expect(try admin.get("/v1/webhookDeliveries/\(failing.id)").status == 404)
  }

  @Test func aSilentReceiverDoesNotHoldUpTheEnd() throws {
    let authority = try TestAuthority()
    let (daemon, _) = try TestDaemon.withWebhooks("timeout: \"60 s\",")
    withExtendedLifetime(authority) {}
    let silent = try SilentListener()
    let admin = daemon.admin()
    let webhook = try admin.webhook("https://localhost:\(silent.port)/")
    _ = try admin.create("webhookPings", [:], ("webhook", "webhooks", webhook.id)).expect(201)
    try silent.waitForClient()
    let start = ContinuousClock.now
    try daemon.stop()
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}

/// Accepts connections and says nothing.
private final class SilentListener {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var address = Ports.loopback(0)
    var length = socklen_t(16)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, 16) + listen(descriptor, 4) + getsockname(descriptor, $0, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard code == 0 else { throw Failure("listen") }
  }

  deinit { close(descriptor) }

  func waitForClient() throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 60_000) == 1 else { throw Failure("nobody came") }
  }
}
