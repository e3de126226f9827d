import Foundation
import TestSupport
import Testing

/// Clients that do harm, by the hundred, while one that behaves is served throughout.
@Suite(.serialized, .waits) struct HostileClientTests {
  /// Starts a daemon with a pack, lets `attack` go on beside a steady client, and returns once that was served to the
  /// end and every connection is gone.
  private func attacked(
    limits: String = "", packSize: Int = 100_000, settings: String = "",
    _ attack: (TestDaemon, SteadyClient) throws -> Void
  ) throws {
    let daemon = try TestDaemon.service(partSize: "32 MiB", limits: limits, settings: settings)
    let admin = daemon.admin()
    let app = try admin.app()
    let pack = try Packs.make("p", Packs.noise(packSize), codec: .stored)
    _ = try admin.push("p", pack, app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let steady = SteadyClient(daemon, pack: pack)
    try steady.goesOn()
    try attack(daemon, steady)
    try steady.goesOn()
    let problems = try steady.stop()
    #expect(problems == [])
    _ = try daemon.metrics("that every connection has ended") {
      $0.value("packhouse_connections_open", ["listener": "client"]) ?? 99 <= 1
    }
    try daemon.stop()
  }

  private func count(_ text: PrometheusText, _ name: String, _ labels: [String: String]) -> Double {
    text.value("packhouse_\(name)", labels.merging(["listener": "client"]) { $1 }) ?? 0
  }

  @Test func slowHeadsAndHalfHandshakesRunOutOfTime() throws {
    try attacked(limits: "headerTime: \"3 s\",") { daemon, steady in
      let heads = try (0..<100).map { _ in
        let head = try daemon.raw(from: "127.0.0.2")
        try head.send("GET /apps HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        return head
      }
      // The first bytes of a ClientHello that announces more.
      let hello: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]
      let halves = try (0..<100).map { _ in try PlainConnection(port: daemon.port, from: "127.0.0.3") }
      for half in halves { half.send(hello) }
      try steady.goesOn()
      for half in halves { #expect(half.ends()) }
      for head in heads { #expect(try head.answer()?.status == 408) }
      for head in heads { #expect(try head.isClosed()) }
      _ = try daemon.metrics("the timeouts") {
        count($0, "timeouts_total", ["kind": "head"]) == 100
          && count($0, "timeouts_total", ["kind": "handshake"]) == 100
      }
    }
  }

  @Test func aTrickleDoesNotProlongAHead() throws {
    try attacked(limits: "headerTime: \"2 s\",") { daemon, steady in
      let slow = try (0..<20).map { _ in try daemon.raw(from: "127.0.0.2") }
      for head in slow { try head.send("GET / HTTP/1.1\r\n") }
      let begin = ContinuousClock.now
      var open = slow
      // A field every tenth of a second, as slowloris does it, until the server has had enough.
      while !open.isEmpty, ContinuousClock.now - begin < .seconds(30) {
        open = open.filter { (try? $0.send("X: y\r\n")) != nil }
        usleep(100_000)
      }
      #expect(open.isEmpty)
      try steady.goesOn()
    }
  }

  @Test func idleConnectionsGiveWayToNewOnes() throws {
    try attacked(limits: "connections: 60, connectionsPerAddress: 60,") { daemon, steady in
      var crowd: [RawConnection] = []
      // More than there is room for, but not at once: each is let in because an older one that is idle gives way, which
      // takes three seconds of idleness. The client that behaves is served in the meantime.
      for _ in 0..<5 {
        for _ in 0..<20 { if let connection = try? daemon.raw(from: "127.0.0.2") { crowd.append(connection) } }
        let idleLongEnough = ContinuousClock.now + .milliseconds(3200)
        while ContinuousClock.now < idleLongEnough { try steady.goesOn(1) }
      }
      try steady.goesOn(40)
      _ = try daemon.metrics("that connections gave way") { count($0, "connections_gave_way_total", [:]) > 0 }
    }
  }

  @Test func readersThatTakeNothingAreCut() throws {
    let rate = "minimumRate: { bytesPerSecond: \"1 KiB\", window: \"2 s\" },"
    try attacked(limits: rate, packSize: 16_000_000) { daemon, steady in
      let readers = try (0..<20).map { _ in try daemon.raw(receiveBuffer: 16384, from: "127.0.0.2") }
      for reader in readers {
        try reader.send("GET /apps/\(TestDaemon.app)/packs/1/p HTTP/1.1\r\nHost: localhost\r\n\r\n")
      }
      try steady.goesOn()
      _ = try daemon.metrics("that slow readers are cut") { count($0, "timeouts_total", ["kind": "rate"]) == 20 }
    }
  }

  @Test func clientsThatVanishInTheMiddleLeaveNothing() throws {
    try attacked(packSize: 8_000_000) { daemon, steady in
      for _ in 0..<50 {
        let reader = try daemon.raw(receiveBuffer: 16384, from: "127.0.0.2")
        try reader.send("GET /apps/\(TestDaemon.app)/packs/1/p HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try reader.bytes(10_000)
        reader.vanish()
      }
      try steady.goesOn()
      _ = try daemon.metrics("that downloads were broken off") { text in
        let version = ["app": TestDaemon.app, "pack": "p", "version": "1", "result": "aborted"]
        return text.value("packhouse_deliveries_total", version) == 50
      }
    }
  }

  @Test func resetsByTheHundredChangeNothing() throws {
    try attacked { daemon, steady in
      for index in 0..<400 {
        let connection = try PlainConnection(port: daemon.port, from: "127.0.0.\(2 + index % 8)")
        if index % 2 == 0 { connection.send([0x16, 0x03, 0x01]) }
        PlainConnection.resetAtClose(connection.descriptor)
      }
      try steady.goesOn()
    }
  }

  @Test func whatIsNoTLSIsRefused() throws {
    try attacked { daemon, steady in
      let payloads: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), [UInt8](repeating: 0, count: 5000), Packs.noise(5000),
        // SSLv2's ClientHello, a record of 65,535 bytes, one of an unknown type, and an alert to begin with.
        [0x80, 0x2e, 0x01, 0x00, 0x02] + [UInt8](repeating: 1, count: 60),
        [0x16, 0x03, 0x01, 0xff, 0xff] + [UInt8](repeating: 1, count: 65_535), [0x63, 0x03, 0x03, 0x00, 0x01, 0x00],
        [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28],
      ]
      for _ in 0..<20 {
        for payload in payloads {
          let connection = try PlainConnection(port: daemon.port, from: "127.0.0.4")
          connection.send(payload)
          shutdown(connection.descriptor, Int32(SHUT_WR))
          #expect(connection.ends())
        }
      }
      try steady.goesOn()
      _ = try daemon.metrics("the failed handshakes") {
        count($0, "tls_handshakes_total", ["kind": "failed"]) >= 140
      }
    }
  }

  @Test func nobodyNegotiatesAgain() throws {
    try attacked { daemon, steady in
      // R asks for a renegotiation (TLS 1.2), K for new keys of both sides (TLS 1.3).
      for (version, command) in [("-tls1_2", "R"), ("-tls1_3", "K")] {
        let script =
          "(sleep 0.3; for i in 1 2 3 4 5; do echo \(command); sleep 0.1; done) | timeout 20 openssl s_client "
          + "-connect 127.0.0.1:\(daemon.port) \(version) 2>&1"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if command == "R" { #expect(text.contains("no renegotiation"), "\(text.suffix(600))") }
      }
      try steady.goesOn()
    }
  }
}
