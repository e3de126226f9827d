import Foundation
import HTTPCore
import Testing
import TestSupport

@testable import HTTPServer

@Suite(.waits) struct StatisticsTests {
  private func fixture(_ limits: ServerLimits = ServerLimits(), loops: Int = 1, length: Int = 1000) throws
    -> ServerFixture
  {
    let label = DeliveryLabel(app: "com.example.game", pack: "p", version: 3, index: 4)
    let pack = Representation(
      bytes: StaticBytes([UInt8](repeating: 7, count: length)), contentType: "a/b", cacheControl: "no-cache",
      entityTag: "t", lastModified: nil, acceptsRanges: true, label: label)
    return try ServerFixture(limits: limits, loops: loops) { view in
      switch view.path.count {
      case 1: .representation(pack, Preconditions.select(view, pack))
      case 2: .message(Message(status: 404, text: "no"))
      default:
        .receive(
          BodyReceiver(
            limit: 100, write: { _, _ in nil }, finish: { _ in Message(status: 200, text: "ok") }, abandon: {}))
      }
    }
  }

  private func deliveries(_ fixture: ServerFixture, _ isEnough: (DeliveryCounts) -> Bool) -> DeliveryCounts {
    var counts = DeliveryCounts()
    for _ in 0..<1000 {
      counts = fixture.server.deliveries.present.versions.first?.counts ?? DeliveryCounts()
      if isEnough(counts) { break }
      usleep(20_000)
    }
    return counts
  }

  @Test func everyAnswerIsCountedByWhatItWas() throws {
    let fixture = try fixture(loops: 2)
    defer { fixture.stop() }
    for _ in 0..<4 {
      let client = try fixture.connect()
      let requests = [
        ("GET", "/", "", 200), ("GET", "/", "Range: bytes=0-9\r\n", 206), ("GET", "/", "Range: bytes=990-\r\n", 206),
        ("GET", "/", "Range: bytes=2000-\r\n", 416), ("GET", "/", "If-None-Match: \"t\"\r\n", 304),
        ("GET", "/", "If-Match: \"u\"\r\n", 412), ("HEAD", "/", "", 200), ("GET", "/a", "", 404),
        ("PUT", "/up", "Content-Length: 0\r\n", 200),
      ]
      for (method, path, fields, status) in requests {
        try client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        #expect(try client.response(toHead: method == "HEAD")?.status == status)
      }
      try client.send("PUT /up HTTP/1.1\r\nHost: a\r\nContent-Length: 200\r\n\r\n")
      #expect(try client.response()?.status == 413)
      client.close()
      let broken = try fixture.connect()
      try broken.send("nonsense\r\n\r\n")
      #expect(try broken.response()?.status == 400)
      broken.close()
    }
    let found = fixture.statistics { $0[.clientErrors] == 20 && $0.open == 0 }
    let expected: [ServerCounter: Int] = [
      .accepted: 8, .closed: 8, .successful: 20, .redirected: 4, .clientErrors: 20, .serverErrors: 0, .unanswered: 0,
      .whole: 8, .range: 8, .notModified: 4, .preconditionFailed: 4, .unsatisfiable: 4, .message: 16,
      .bodiesTooLong: 4, .bodiesReceived: 4, .handshakesFailed: 0,
    ]
    for (counter, count) in expected { #expect(found[counter] == count, "\(counter)") }
    #expect(found[.handshakesFull] + found[.handshakesResumed] == 8)
    #expect(found.durations.reduce(0, +) == 44)
    #expect(found.durationSum > 0)
    #expect(found[.bytesSent] > 4 * 1000 && found[.bytesReceived] > 4 * 100)
    let counts = deliveries(fixture) { $0.complete == 8 }
    #expect(counts.complete == 8 && counts.partial == 4 && counts.aborted == 0)
    #expect(counts.bytes == 4 * (1000 + 10 + 10))
  }

  @Test func severalRangesAreAPartOfADelivery() throws {
    let fixture = try fixture()
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9,990-999\r\n\r\n")
    #expect(try client.response()?.status == 206)
    let counts = deliveries(fixture) { $0.partial == 1 }
    #expect(counts.partial == 1 && counts.complete == 0)
    #expect(fixture.statistics { $0[.range] == 1 }[.range] == 1)
  }

  @Test func aDownloadThatBreaksOffIsAborted() throws {
    let fixture = try fixture(length: 50_000_000)
    defer { fixture.stop() }
    var client: ServerFixture.Client? = try fixture.connect()
    try client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = fixture.statistics { $0[.bytesSent] > 100_000 }
    // With its last reference the socket goes away.
    client = nil
    let counts = deliveries(fixture) { $0.aborted == 1 }
    #expect(counts.aborted == 1 && counts.complete == 0)
    #expect(counts.bytes > 0 && counts.bytes < 50_000_000)
  }

  @Test func refusedConnectionsAndHandshakesAreCounted() throws {
    var limits = ServerLimits()
    limits.connections = 2
    limits.connectionsPerAddress = 2
    limits.headerTime = 1
    let fixture = try fixture(limits)
    defer { fixture.stop() }
    let first = try fixture.connect()
    let second = try fixture.connect()
    #expect(throws: (any Error).self) { try fixture.connect() }
    // A head that never ends runs out of time.
    try first.send("GET / HT")
    try second.send("GET / HT")
    #expect(try first.response()?.status == 408)
    #expect(try second.response()?.status == 408)
    let found = fixture.statistics { $0[.headTimeouts] == 2 }
    #expect(found[.refusedByTotal] == 1)
    #expect(found[.headTimeouts] == 2)
    #expect(found[.clientErrors] == 2)
  }

  @Test func aTallyIsBoundedAndLosesNothing() {
    let tally = DeliveryTally(capacity: 3)
    var counts = DeliveryCounts()
    counts.complete = 1
    counts.bytes = 10
    let labels = (0..<10).map { DeliveryLabel(app: "a", pack: "p", version: $0, index: $0) }
    for label in labels {
      tally.add([(labels[0], counts)])
      tally.add([(label, counts)])
    }
    let (versions, other) = tally.present
    #expect(versions.count == 3)
    #expect(versions.first?.label.version == 0)
    #expect(versions.first?.counts.complete == 11)
    #expect(versions.reduce(0) { $0 + $1.counts.complete } + other.complete == 20)
    #expect(versions.reduce(0) { $0 + $1.counts.bytes } + other.bytes == 200)
  }

  @Test(arguments: [(0, 0), (100_000, 0), (100_001, 1), (1_000_000, 3), (300_000_000_000, 14), (300_000_000_001, 15)])
  func durationsFallIntoTheirBucket(nanoseconds: Int, bucket: Int) {
    #expect(DurationBuckets.index(Int64(nanoseconds)) == bucket)
  }
}
