import Foundation
import HTTPCore
import Testing
import TestSupport

@testable import HTTPServer

/// Answers of all sizes through every cipher, as the openssl command line reads them.
@Suite(.waits) struct RecordServingTests {
  private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }

  private func fixture(sealsRecords: Bool = true) throws -> ServerFixture {
    let representation = Representation(
      body: .bytes(StaticBytes(Self.content)), length: Self.content.count, contentType: "x/y", cacheControl: "a",
      entityTag: "t", lastModified: 0, acceptsRanges: true)
    return try ServerFixture(sealsRecords: sealsRecords) {
      .representation(representation, Preconditions.select($0, representation))
    }
  }

  /// What `openssl s_client` prints when it sends `input`.
  private func output(_ fixture: ServerFixture, _ arguments: [String], _ input: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["timeout", "20", "openssl", "s_client", "-connect", "127.0.0.1:\(fixture.port)", "-ign_eof"] + arguments
    let output = Pipe()
    let pipe = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = pipe
    try process.run()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  @Test(
    arguments: [
      ["-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256"], ["-tls1_3", "-ciphersuites", "TLS_AES_256_GCM_SHA384"],
      ["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
      ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"], ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"],
      ["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"],
    ], [true, false])
  func everyCipherCarriesAnswersOfEverySize(cipher: [String], sealsRecords: Bool) throws {
    let fixture = try fixture(sealsRecords: sealsRecords)
    defer { fixture.stop() }
    let sizes = [1, 2, 15, 16, 17, 16_000, 16_383, 16_384, 16_385, 32_768, 100_000, 299_999]
    let requests = sizes.enumerated().map { place, size in
      "GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=\(place)-\(place + size - 1)\r\n"
        + (place == sizes.count - 1 ? "Connection: close\r\n\r\n" : "\r\n")
    }
    var rest = try output(fixture, cipher + ["-quiet"], requests.joined())[...]
    for (place, size) in sizes.enumerated() {
      let head = try #require(rest.range(of: Data("\r\n\r\n".utf8)), "\(size)")
      rest = rest[head.upperBound...]
      #expect(rest.prefix(size).elementsEqual(Self.content[place..<min(place + size, Self.content.count)]), "\(size)")
      rest = rest.dropFirst(size)
    }
    #expect(rest.isEmpty)
  }

  @Test func clientsThatTakeTurnsGetTheirOwnBytes() throws {
    let fixture = try fixture()
    defer { fixture.stop() }
    let clients = try (0..<3).map { _ in try fixture.connect() }
    for round in 0..<20 {
      for (place, client) in clients.enumerated() {
        let start = round * 1000 + place * 37
        try client.send("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=\(start)-\(start + 20_000)\r\n\r\n")
        #expect(try client.response()?.body.elementsEqual(Self.content[start...(start + 20_000)]) == true)
      }
    }
  }

  @Test(
    arguments: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"], [true, false])
  func aClientThatAsksForNewKeysGetsItsBytesAllTheSame(cipher: String, sealsRecords: Bool) throws {
    let fixture = try fixture(sealsRecords: sealsRecords)
    defer { fixture.stop() }
    let client = try KeyUpdatingClient(port: fixture.port, cipherSuite: cipher)
    let head = "GET / HTTP/1.1\r\nHost: a\r\nRange: bytes="
    for round in 0..<6 {
      // Every other request travels under new keys, and so does its answer.
      if round % 2 == 1 { try #require(client.askForNewKeys()) }
      let range = round * 100...(round * 100 + 100_000 + round)
      let body = try client.body(of: "\(head)\(range.lowerBound)-\(range.upperBound)\r\n\r\n", length: range.count)
      #expect(body.elementsEqual(Self.content[range]), "round \(round)")
    }
  }
}
