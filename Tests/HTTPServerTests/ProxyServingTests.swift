import EventLoop
import Foundation
import HTTPCore
import Observability
import Testing
import TestSupport

@testable import HTTPServer

@Suite(.waits) struct ProxyServingTests {
  private let get = "GET / HTTP/1.1\r\nHost: a\r\n"

  private func fixture(trusts range: String?, header: Bool = false, perAddress: Int = 256) throws -> ServerFixture {
    var limits = ServerLimits()
    limits.connectionsPerAddress = perAddress
    return try ServerFixture(
      limits: limits,
      configure: { listener in
        listener.trustedProxies = range.flatMap { AddressRange($0) }.map { [$0] } ?? []
        listener.expectsProxyHeader = header
      },
      responder: { _ in .work(bodyLimit: 0) { Message(status: 200, text: $0.remoteAddress) } })
  }

  private func header(_ last: UInt8) -> [UInt8] { proxyHeader([192, 0, 2, last, 127, 0, 0, 1, 0, 1, 0, 2]) }

  @Test func aHeaderOfATrustedProxySaysWhoTheClientIs() throws {
    let fixture = try fixture(trusts: "127.0.0.0/8", header: true)
    defer { fixture.stop() }
    let client = try fixture.connect(preamble: header(7))
    try client.send(get + "\r\n")
    #expect(try client.response()?.body == Array("192.0.2.7\n".utf8))
  }

  @Test func aTrustedProxyWithoutAHeaderIsRefused() throws {
    let fixture = try fixture(trusts: "127.0.0.0/8", header: true)
    defer { fixture.stop() }
    #expect(throws: (any Error).self) { try fixture.connect() }
    #expect(fixture.statistics { $0[.refusedProxyHeaders] == 1 }[.refusedProxyHeaders] == 1)
  }

  @Test func aHeaderOfAnybodyElseIsNoTLS() throws {
    let fixture = try fixture(trusts: "10.0.0.0/8", header: true)
    defer { fixture.stop() }
    #expect(throws: (any Error).self) { try fixture.connect(preamble: header(7)) }
    let direct = try fixture.connect()
    try direct.send(get + "\r\n")
    #expect(try direct.response()?.body == Array("127.0.0.1\n".utf8))
  }

  @Test func theLimitIsForTheClientAndNotForTheProxy() throws {
    let fixture = try fixture(trusts: "127.0.0.1", header: true, perAddress: 2)
    defer { fixture.stop() }
    let open = try (0..<6).map { try fixture.connect(preamble: header(UInt8($0 / 2))) }
    #expect(throws: (any Error).self) { try fixture.connect(preamble: header(0)) }
    for client in open {
      try client.send(get + "\r\n")
      #expect(try client.response()?.status == 200)
    }
    #expect(fixture.statistics { $0[.refusedByAddress] == 1 }[.refusedByAddress] == 1)
    open[0].close()
    // The place is free once the server has seen the end.
    var again: ServerFixture.Client?
    for _ in 0..<100 where again == nil { again = try? fixture.connect(preamble: header(0)) }
    #expect(again != nil)
  }

  @Test func forwardedForCountsRequestsOfOneAddress() throws {
    // A worker holds each request until the gate opens.
    let gate = Condition(false)
    var limits = ServerLimits()
    limits.connectionsPerAddress = 1
    let fixture = try ServerFixture(
      limits: limits, configure: { $0.trustedProxies = AddressRange("127.0.0.1").map { [$0] } ?? [] },
      responder: { _ in
        .work(bodyLimit: 0) { _ in
          gate.wait { $0 ? .ready(()) : .wait }
          return Message(status: 200)
        }
      })
    defer { fixture.stop() }
    let first = try fixture.connect()
    let second = try fixture.connect()
    let third = try fixture.connect()
    try first.send(get + "X-Forwarded-For: 192.0.2.7\r\n\r\n")
    _ = fixture.statistics { $0[.accepted] == 3 }
    while fixture.workers.waiting > 0 { usleep(1000) }
    try second.send(get + "X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\n\r\n")
    let refusal = try #require(try second.response())
    #expect(refusal.status == 429)
    #expect(refusal.fields["retry-after"] == "1")
    try third.send(get + "X-Forwarded-For: 192.0.2.8\r\n\r\n")
    gate.withLock { $0 = true }
    #expect(try first.response()?.status == 200)
    #expect(try third.response()?.status == 200)
    try second.send(get + "X-Forwarded-For: 192.0.2.7\r\n\r\n")
    #expect(try second.response()?.status == 200)
    #expect(fixture.statistics { $0[.refusedRequests] == 1 }[.refusedRequests] == 1)
  }

  @Test func forwardedForOfAnybodyElseMeansNothing() throws {
    let fixture = try fixture(trusts: nil, perAddress: 1)
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(get + "X-Forwarded-For: 192.0.2.7\r\n\r\n")
    #expect(try client.response()?.status == 200)
    #expect(throws: (any Error).self) { try fixture.connect() }
  }
}
