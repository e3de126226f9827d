import Foundation
import HTTPCore
import Synchronization
import SystemIO
import Testing

@testable import HTTPServer

/// What the loop does when time passes, with real sockets and a clock that stands still.
@Suite struct PatienceTests {
  private let get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  private func representation(_ body: Representation.Body, length: Int) -> Representation {
    Representation(
      body: body, length: length, contentType: "a/b", cacheControl: "no-cache", entityTag: "t", lastModified: nil,
      acceptsRanges: true)
  }

  @Test func aRequestInTheBodyOfAnotherIsNotAnswered() throws {
    let asked = Mutex(0)
    let fixture = try ServerFixture { _ in
      asked.withLock { $0 += 1 }
      return .message(Message(status: 404, text: "no"))
    }
    defer { fixture.stop() }
    for framing in ["Content-Length: \(get.utf8.count)", "Transfer-Encoding: chunked"] {
      asked.withLock { $0 = 0 }
      let client = try fixture.connect()
      try client.send("POST / HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n" + get)
      let response = try #require(try client.response())
      #expect(response.status == 404)
      #expect(response.fields["connection"] == "close")
      #expect(try client.isClosed())
      #expect(asked.withLock { $0 } == 1)
    }
  }

  @Test func anUploadThatStallsIsCut() throws {
    let abandoned = Mutex(0)
    let fixture = try ServerFixture(clock: TestClock()) { _ in
      .receive(
        BodyReceiver(
          limit: 1000, write: { _, _ in nil }, finish: { _ in Message(status: 200, text: "yes") },
          abandon: { abandoned.withLock { $0 += 1 } }))
    }
    let client = try fixture.connect()
    try client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.response()?.status == 100)
    try client.send("abc")
    fixture.pass(seconds: 61)
    // The three bytes may have come at either end of that minute.
    fixture.pass(seconds: 61)
    let response = try #require(try client.response())
    #expect(response.status == 408)
    #expect(response.fields["connection"] == "close")
    #expect(try client.isClosed())
    fixture.stop()
    #expect(abandoned.withLock { $0 } == 1)
  }

  @Test func aDownloadGoesOnAsLongAsTheClientReads() throws {
    let step = 12_000_000
    let bytes = StaticBytes([UInt8](repeating: 7, count: 4 * step))
    let pack = representation(.bytes(bytes), length: 4 * step)
    let fixture = try ServerFixture(clock: TestClock()) { _ in .representation(pack, .whole) }
    defer { fixture.stop() }
    let client = try fixture.connect(receiveBuffer: 65536)
    try client.send(get)
    for part in 1...3 {
      // More than all buffers between the two can hold, so the server has sent some of it since the clock moved.
      #expect(try client.receive(atLeast: part * step))
      fixture.pass(seconds: 50)
    }
    #expect(try client.response()?.body.count == 4 * step)
  }

  @Test func aDownloadThatNobodyReadsIsCut() throws {
    let length = 48_000_000
    let pack = representation(.bytes(StaticBytes([UInt8](repeating: 7, count: length))), length: length)
    let fixture = try ServerFixture(clock: TestClock()) { _ in .representation(pack, .whole) }
    defer { fixture.stop() }
    let client = try fixture.connect(receiveBuffer: 65536)
    try client.send(get)
    #expect(try client.receive(atLeast: 1))
    // The loop fills the socket before it looks at its deadlines: twice the time is enough wherever it stood.
    fixture.pass(seconds: 61)
    fixture.pass(seconds: 61)
    #expect(fixture.statistics { $0[.sendTimeouts] == 1 }[.sendTimeouts] == 1)
  }

  @Test func aClientThatAsksNothingMoreIsToldGoodBye() throws {
    let fixture = try ServerFixture(clock: TestClock()) { _ in .message(Message(status: 200, text: "yes")) }
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(get)
    #expect(try client.response()?.status == 200)
    fixture.pass(seconds: 70)
    try client.send(get)
    #expect(try client.response()?.status == 200)
    fixture.pass(seconds: 76)
    #expect(try client.isClosed())
    #expect(fixture.statistics { $0[.idleTimeouts] == 1 }[.idleTimeouts] == 1)
  }
}
