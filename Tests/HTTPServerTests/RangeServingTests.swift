import Foundation
import HTTPCore
import SystemIO
import Testing
import TestSupport

@testable import HTTPServer

@Suite(.waits) struct RangeServingTests {
  /// A file that is open as long as the object lives.
  private final class OpenFile: Sendable {
    let file: FileDescriptor
    init(_ bytes: [UInt8]) throws {
      let path = "\(NSTemporaryDirectory())/\(UUID().uuidString)"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      file = try FileDescriptor.open(path, O_RDONLY)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  private static let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 10) }

  private func fixture(ofFile: Bool) throws -> ServerFixture {
    let body: Representation.Body
    if ofFile {
      let owner = try OpenFile(Self.content)
      body = .file(descriptor: owner.file.raw, owner: owner)
    } else {
      body = .bytes(StaticBytes(Self.content))
    }
    let representation = Representation(
      body: body, length: Self.content.count, contentType: "x/y", cacheControl: "a", entityTag: "t", lastModified: 0,
      acceptsRanges: true)
    return try ServerFixture { .representation(representation, Preconditions.select($0, representation)) }
  }

  /// Takes a multipart body apart as a client would.
  private func parts(_ response: ServerFixture.Response) throws -> [(range: String, bytes: ArraySlice<UInt8>)] {
    let type = try #require(response.fields["content-type"])
    let prefix = "multipart/byteranges; boundary="
    try #require(type.hasPrefix(prefix))
    let delimiter = Array("--\(type.dropFirst(prefix.count))".utf8)
    var parts: [(String, ArraySlice<UInt8>)] = []
    var rest = response.body[...]
    while true {
      try #require(rest.starts(with: delimiter))
      rest = rest.dropFirst(delimiter.count)
      if rest.elementsEqual(Array("--\r\n".utf8)) { return parts }
      let headEnd = try #require(Array(rest.prefix(200)).firstRange(of: Array("\r\n\r\n".utf8)))
      let head = String(decoding: rest.prefix(headEnd.lowerBound), as: UTF8.self)
      let range = try #require(
        head.split(separator: "\r\n").first { $0.hasPrefix("Content-Range: bytes ") }?.dropFirst(21))
      let bounds = range.split(separator: "/")[0].split(separator: "-").compactMap { Int($0) }
      rest = rest.dropFirst(headEnd.upperBound)
      let count = bounds[1] - bounds[0] + 1
      parts.append((String(range), rest.prefix(count)))
      rest = rest.dropFirst(count + 2)
    }
  }

  @Test(arguments: [false, true]) func severalRangesArriveAsParts(ofFile: Bool) throws {
    let fixture = try fixture(ofFile: ofFile)
    defer { fixture.stop() }
    let client = try fixture.connect()
    for _ in 0..<2 {
      try client.send(
        "GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=2000000-2999998,0-0,5-1500000,700000-700001,-1\r\n\r\n")
      let response = try #require(try client.response())
      #expect(response.status == 206)
      #expect(response.fields["content-range"] == nil)
      #expect(response.fields["etag"] == "\"t\"")
      let parts = try parts(response)
      #expect(parts.map(\.range) == ["2000000-2999999/3000000", "0-0/3000000", "5-1500000/3000000"])
      #expect(parts[0].bytes.elementsEqual(Self.content[2_000_000...]))
      #expect(parts[1].bytes.elementsEqual(Self.content[0...0]))
      #expect(parts[2].bytes.elementsEqual(Self.content[5...1_500_000]))
    }
  }

  @Test func tooManyRangesAreAnsweredWhole() throws {
    let fixture = try fixture(ofFile: true)
    defer { fixture.stop() }
    let client = try fixture.connect()
    let ranges = (0..<17).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
    try client.send("GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=\(ranges)\r\n\r\n")
    let response = try #require(try client.response())
    #expect(response.status == 200)
    #expect(response.body == Self.content)
  }

  @Test func aClientThatHasSentItsLastByteStillGetsAllOfItsAnswers() throws {
    let fixture = try fixture(ofFile: true)
    defer { fixture.stop() }
    let client = try fixture.connect()
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try client.send(request + request)
    client.endOutput()
    for _ in 0..<2 { #expect(try client.response()?.body == Self.content) }
    #expect(try client.isClosed())
  }

  @Test func aSlowReaderThatHasSentItsLastByteLosesNothingOfItsAnswers() throws {
    let fixture = try fixture(ofFile: true)
    defer { fixture.stop() }
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-179999\r\n\r\n"
    // Somewhere among these is the answer whose last bytes find the socket full.
    for count in 1...24 {
      let client = try fixture.connect(receiveBuffer: 4096)
      client.holdOutput()
      try client.send(String(repeating: request, count: count))
      client.endOutput()
      for _ in 0..<count { #expect(try client.response()?.body.count == 180_000, "\(count)") }
      #expect(try client.isClosed())
    }
  }

  @Test func clientsOfHTTP10AreAnsweredAndHungUpOnUnlessTheyAskOtherwise() throws {
    let fixture = try fixture(ofFile: true)
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\nRange: bytes=0-9\r\n\r\n")
    let first = try #require(try client.response())
    #expect(first.fields["connection"] == "keep-alive")
    #expect(first.body == Array(Self.content[0..<10]))
    try client.send("GET / HTTP/1.0\r\n\r\n")
    let second = try #require(try client.response())
    #expect(second.fields["connection"] == "close")
    #expect(second.body == Self.content)
    #expect(try client.isClosed())
  }

  @Test func dateIsTheTimeOfTheAnswer() throws {
    let fixture = try fixture(ofFile: true)
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-0\r\n\r\n")
    let response = try #require(try client.response())
    let text = try #require(response.fields["date"])
    let date = try #require(Array(text.utf8).withUnsafeBytes(HTTPDate.parse))
    #expect(abs(date - Int64(Date().timeIntervalSince1970)) <= 2)
    #expect(response.fields["server-timing"] == nil)
  }
}
