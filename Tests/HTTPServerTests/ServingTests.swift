import Foundation
import HTTPCore
import SystemIO
import Testing
import TestSupport

@testable import HTTPServer

@Suite(.waits) struct ServingTests {
  private func representation(_ bytes: [UInt8]) -> Representation {
    Representation(
      bytes: StaticBytes(bytes), contentType: "text/plain", cacheControl: "no-cache", entityTag: "tag",
      lastModified: nil,
      acceptsRanges: true)
  }

  private func fixture(_ bytes: [UInt8], loops: Int = 1) throws -> ServerFixture {
    let representation = representation(bytes)
    return try ServerFixture(loops: loops) { .representation(representation, Preconditions.select($0, representation)) }
  }

  private let get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test(arguments: [0, 1, 100, 16_000, 16_384, 16_385, 65_536, 1_000_000, 5_000_000])
  func aBodyOfAnyLengthArrivesWhole(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let fixture = try fixture(bytes)
    defer { fixture.stop() }
    let client = try fixture.connect()
    for _ in 0..<3 {
      try client.send(get)
      let response = try #require(try client.response())
      #expect(response.status == 200)
      #expect(response.body == bytes)
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let fixture = try fixture(Array(0..<200))
    defer { fixture.stop() }
    let client = try fixture.connect()
    let requests = (0..<100).map { "GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=\($0)-\($0)\r\n\r\n" }
    try client.send(requests.joined())
    for index in 0..<100 {
      let response = try #require(try client.response())
      #expect(response.status == 206)
      #expect(response.body == [UInt8(index)])
    }
  }

  @Test func largeAnswersToPipelinedRequestsKeepTheirOrder() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let fixture = try fixture(bytes)
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(get + get + get)
    for _ in 0..<3 { #expect(try client.response()?.body == bytes) }
  }

  @Test func aRequestInSingleBytesIsUnderstood() throws {
    let fixture = try fixture([1, 2, 3])
    defer { fixture.stop() }
    let client = try fixture.connect()
    for byte in get.utf8 { try client.send([byte]) }
    #expect(try client.response()?.body == [1, 2, 3])
  }

  @Test func headHasTheLengthAndNoBody() throws {
    let fixture = try fixture(Array(repeating: 7, count: 5000))
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let response = try #require(try client.response(toHead: true))
    #expect(response.fields["content-length"] == "5000")
    try client.send(get)
    #expect(try client.response()?.body.count == 5000)
  }

  @Test func connectionCloseIsHonoured() throws {
    let fixture = try fixture([1])
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(try client.response()?.fields["connection"] == "close")
    #expect(try client.isClosed())
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/9.1\r\nHost: a\r\n\r\n", 505), ("nonsense\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "y", count: 20_000))\r\n\r\n", 431),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
  ])
  func whatCannotBeReadIsRefusedAndEndsTheConnection(request: String, status: Int) throws {
    let fixture = try fixture([1])
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(request)
    #expect(try client.response()?.status == status)
    #expect(try client.isClosed())
  }

  @Test func aFileIsServedFromItsDescriptor() throws {
    let path = "\(NSTemporaryDirectory())/\(UUID().uuidString)"
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 10) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    final class Owner: Sendable {
      let file: FileDescriptor
      init(_ path: String) throws { file = try FileDescriptor.open(path, O_RDONLY) }
    }
    let owner = try Owner(path)
    let representation = Representation(
      body: .file(descriptor: owner.file.raw, owner: owner), length: bytes.count, contentType: "x/y", cacheControl: "a",
      entityTag: "t", lastModified: 0, acceptsRanges: true)
    let fixture = try ServerFixture(loops: 2) {
      .representation(representation, Preconditions.select($0, representation))
    }
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send(get)
    #expect(try client.response()?.body == bytes)
    try client.send("GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=2999000-\r\n\r\n")
    #expect(try client.response()?.body == Array(bytes[2_999_000...]))
  }

  @Test func manyClientsAtOnceGetTheirBytes() async throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
    let fixture = try fixture(bytes, loops: 2)
    defer { fixture.stop() }
    let port = fixture.port
    let trust = fixture.trust
    let request = get
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let client = try ServerFixture.Client(port: port, trust: trust)
          for _ in 0..<5 {
            try client.send(request)
            guard try client.response()?.body == bytes else { return false }
          }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
