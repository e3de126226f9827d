import HTTPCore
import Synchronization
import Testing
import TestSupport

@testable import HTTPServer

@Suite(.waits) struct BodyTests {
  private func echo() throws -> ServerFixture {
    try ServerFixture { _ in
      .work(bodyLimit: 100_000) { request in Message(status: 200, body: request.body) }
    }
  }

  private func post(_ count: Int) -> [UInt8] {
    Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n".utf8)
  }

  @Test(arguments: [0, 1, 1000, 70_000, 100_000])
  func aBodyReachesTheWorkerWhole(count: Int) throws {
    let fixture = try echo()
    defer { fixture.stop() }
    let client = try fixture.connect()
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for _ in 0..<2 {
      try client.send(post(count) + body)
      #expect(try client.response()?.body == body)
    }
  }

  @Test func aChunkedBodyReachesTheWorkerWhole() throws {
    let fixture = try echo()
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n")
    #expect(try client.response()?.body == Array("hello world".utf8))
  }

  @Test func anAnnouncedBodyAboveTheLimitIsRefusedAtOnce() throws {
    let fixture = try echo()
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(post(100_001))
    #expect(try client.response()?.status == 413)
    #expect(try client.isClosed())
  }

  @Test func aChunkedBodyAboveTheLimitIsRefused() throws {
    let fixture = try echo()
    defer { fixture.stop() }
    let client = try fixture.connect()
    let chunk = "10000\r\n\(String(repeating: "x", count: 65536))\r\n"
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk)
    #expect(try client.response()?.status == 413)
  }

  @Test func expectContinueIsAnswered() throws {
    let fixture = try echo()
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.response()?.status == 100)
    try client.send("abc")
    #expect(try client.response()?.body == Array("abc".utf8))
  }

  @Test func aReceiverGetsEveryByteInOrder() throws {
    let received = Mutex<[UInt8]>([])
    let fixture = try ServerFixture { _ in
      .receive(
        BodyReceiver(
          limit: 10_000_000,
          write: { offset, bytes in
            received.withLock { received in
              #expect(offset == received.count)
              received += bytes
            }
            return nil
          }, finish: { Message(status: 200, text: "\($0)") }, abandon: {}))
    }
    defer { fixture.stop() }
    let client = try fixture.connect()
    let body = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 11) }
    try client.send(post(body.count) + body)
    #expect(try client.response()?.body == Array("3000001\n".utf8))
    #expect(received.withLock { $0 } == body)
  }

  @Test func aReceiverThatRefusesEndsTheRequest() throws {
    let abandoned = Mutex(0)
    let fixture = try ServerFixture { _ in
      .receive(
        BodyReceiver(
          limit: 10_000_000, write: { _, _ in Message(status: 409, text: "no") },
          finish: { _ in Message(status: 200, text: "yes") }, abandon: { abandoned.withLock { $0 += 1 } }))
    }
    let client = try fixture.connect()
    try client.send(post(300_000) + [UInt8](repeating: 1, count: 300_000))
    #expect(try client.response()?.status == 409)
    fixture.stop()
    #expect(abandoned.withLock { $0 } == 1)
  }

  @Test func aClientThatGoesAwayMidBodyIsReported() throws {
    let abandoned = Mutex(0)
    let fixture = try ServerFixture { _ in
      .receive(
        BodyReceiver(
          limit: 10_000_000, write: { _, _ in nil }, finish: { _ in Message(status: 200, text: "yes") },
          abandon: { abandoned.withLock { $0 += 1 } }))
    }
    let client = try fixture.connect()
    try client.send(post(1_000_000) + [UInt8](repeating: 1, count: 300_000))
    client.close()
    fixture.stop()
    #expect(abandoned.withLock { $0 } == 1)
  }
}
