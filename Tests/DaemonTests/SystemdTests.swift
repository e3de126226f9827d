import Foundation
import TLS
import Testing
import TestSupport

/// The daemon as a service of systemd: notifications, reload, watchdog, an end in order.
@Suite(.waits) struct SystemdTests {
  @Test func itTellsWhenItReloadsAndWhenItStops() throws {
    // That it is ready is what the fixture waits for.
    let daemon = try TestDaemon.service()
    daemon.process.send(SIGHUP)
    let reloading = try daemon.notifications.next()
    #expect(reloading.contains("RELOADING=1"))
    #expect(reloading.contains { $0.hasPrefix("MONOTONIC_USEC=") && Int($0.dropFirst(15)) != nil })
    #expect(try daemon.notifications.next().contains("READY=1"))
    daemon.process.send(SIGTERM)
    #expect(try daemon.notifications.next().contains("STOPPING=1"))
    #expect(try daemon.process.finish() == .code(0))
  }

  @Test func itFeedsTheWatchdog() throws {
    let daemon = try TestDaemon.service(environment: ["WATCHDOG_USEC": "100000"])
    for _ in 0..<3 { #expect(try daemon.notifications.next() == ["WATCHDOG=1"]) }
    let stranger = try TestDaemon.service(environment: ["WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"])
    stranger.process.send(SIGHUP)
    #expect(try stranger.notifications.next().contains("RELOADING=1"))
  }

  @Test func aReplacedCertificateIsServedAfterAReload() throws {
    let daemon = try TestDaemon.service()
    let kept = daemon.client()
    #expect(try kept.get("/").status == 421)
    let other = try TestAuthority()
    try other.issue(into: daemon.folder)
    #expect(throws: (any Error).self) { try RawConnection(port: daemon.port, trust: other.trust) }
    try reload(daemon)
    for port in [daemon.port, daemon.adminPort] {
      #expect(throws: Never.self) { try RawConnection(port: port, trust: other.trust) }
      #expect(throws: (any Error).self) { try RawConnection(port: port, trust: daemon.trust) }
    }
    // A connection that was open goes on.
    #expect(try kept.get("/").status == 421)
  }

  @Test func aBrokenCertificateKeepsTheOldOne() throws {
    let daemon = try TestDaemon.service()
    let good = try String(contentsOfFile: daemon.folder.file("leaf.pem"), encoding: .utf8)
    let key = try String(contentsOfFile: daemon.folder.file("leaf.key"), encoding: .utf8)
    let other = try TestAuthority()
    try other.issue(into: daemon.folder)
    try daemon.folder.write("leaf.key", key)
    try reload(daemon)
    for text in ["", "rubbish", String(good.prefix(good.count / 2))] {
      try daemon.folder.write("leaf.pem", text)
      try reload(daemon)
      for port in [daemon.port, daemon.adminPort] {
        #expect(throws: Never.self) { try RawConnection(port: port, trust: daemon.trust) }
      }
    }
    #expect(daemon.process.errors.contains("old certificate stays"))
  }

  @Test func aBrokenConfigurationKeepsTheOldOne() throws {
    let daemon = try TestDaemon.service()
    try daemon.folder.write("packhouse.json", "{ nonsense: 1 }")
    try reload(daemon)
    #expect(daemon.process.errors.contains("The old configuration stays in use"))
    #expect(try daemon.admin().get("/v1/apps").status == 200)
  }

  @Test func aRunningDownloadFinishesBeforeTheDaemonEnds() throws {
    let daemon = try TestDaemon.service(partSize: "32 MiB")
    let admin = daemon.admin()
    let app = try admin.app()
    // More than the buffers of both sockets hold.
    let bytes = try Packs.make("p", Packs.noise(24_000_000), codec: .stored)
    _ = try admin.push("p", bytes, app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let reader = try daemon.raw(receiveBuffer: 65536)
    try reader.send("GET /apps/\(TestDaemon.app)/packs/1/p HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let head = try #require(try reader.head())
    #expect(head.status == 200)
    var received = try reader.bytes(100_000)
    let idle = try daemon.raw()

    daemon.process.send(SIGTERM)
    #expect(try daemon.notifications.next().contains("STOPPING=1"))
    // Idle connections end and nobody new gets in, while the download goes on.
    #expect(try idle.isClosed())
    // Each loop hears of it in its own time.
    let deadline = ContinuousClock.now + .seconds(20)
    while (try? daemon.raw()) != nil { #expect(ContinuousClock.now < deadline) }
    while received.count < bytes.count { received += try reader.bytes(min(1_000_000, bytes.count - received.count)) }
    #expect(received == bytes)
    #expect(try daemon.process.finish() == .code(0))
  }

  @Test func aDownloadThatDoesNotEndIsCutAfterTheGrace() throws {
    let daemon = try TestDaemon.service(partSize: "32 MiB", settings: "drainGrace: \"1 s\",")
    let admin = daemon.admin()
    let app = try admin.app()
    _ = try admin.push("p", try Packs.make("p", Packs.noise(24_000_000), codec: .stored), app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let reader = try daemon.raw(receiveBuffer: 65536)
    try reader.send("GET /apps/\(TestDaemon.app)/packs/1/p HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try reader.head()?.status == 200)
    daemon.process.send(SIGTERM)
    #expect(try daemon.process.finish() == .code(0))
  }

  private func reload(_ daemon: TestDaemon) throws {
    daemon.process.send(SIGHUP)
    try daemon.notifications.wait(for: "READY=1")
  }
}
