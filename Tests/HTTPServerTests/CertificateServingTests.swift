import Foundation
import HTTPCore
import Synchronization
import TLS
import Testing
import TestSupport

@testable import HTTPServer

private final class Flag: Sendable {
  private let flag = Atomic<Bool>(false)
  var value: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
}

/// Certificates by name and tickets, as the openssl command line sees them.
@Suite(.waits) struct CertificateServingTests {
  private static let names = [["default.example.com"], ["packs.example.com"], ["*.cdn.example.com", "*.example.com"]]

  private func fixture() throws -> ServerFixture {
    try ServerFixture(loops: 2, names: Self.names) { _ in .message(Message(status: 200, text: "ok")) }
  }

  /// Runs `openssl s_client`, which asks for one answer.
  private func connect(_ fixture: ServerFixture, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["timeout", "20", "openssl", "s_client", "-connect", "127.0.0.1:\(fixture.port)", "-ign_eof"] + arguments
    let output = Pipe()
    let input = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func temporaryFile() -> String { NSTemporaryDirectory() + "packhouse-session-" + UUID().uuidString }

  @Test(
    arguments: [
      ("packs.example.com", "packs.example.com"), ("PACKS.Example.COM", "packs.example.com"),
      ("a.cdn.example.com", "*.cdn.example.com"), ("other.example.com", "*.cdn.example.com"),
      ("a.b.cdn.example.com", "default.example.com"), ("cdn.example.com", "*.cdn.example.com"),
      ("elsewhere.example", "default.example.com"), (nil, "default.example.com"),
      ("default.example.com", "default.example.com"), ("example.com", "default.example.com"),
    ], ["-tls1_2", "-tls1_3"])
  func aClientGetsTheCertificateOfTheNameItAsksFor(test: (String?, String), version: String) throws {
    let fixture = try fixture()
    defer { fixture.stop() }
    let (name, subject) = test
    let output =
      if let name {
        try connect(fixture, version, "-servername", name)
      } else { try connect(fixture, version, "-noservername") }
    #expect(output.contains("subject=O = Packhouse, CN = \(subject)"), "\(output.prefix(800))")
    #expect(output.contains("HTTP/1.1 200"))
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func aClientResumesAcrossANewCertificateAndTwoNewKeys(version: String) throws {
    let fixture = try fixture()
    defer { fixture.stop() }
    let session = temporaryFile()
    defer { try? FileManager.default.removeItem(atPath: session) }
    let name = ["-servername", "packs.example.com", version]
    #expect(try connect(fixture, name[0], name[1], name[2], "-sess_out", session).contains("\nNew, "))
    func resumes() throws -> Bool {
      let output = try connect(fixture, name[0], name[1], name[2], "-sess_in", session)
      #expect(output.contains("HTTP/1.1 200"))
      return output.contains("\nReused, ")
    }
    #expect(try resumes())
    let fresh = try ServerFixture.context(fixture.authority, names: Self.names, tickets: fixture.tickets)
    fixture.server.replaceTLS(ofListener: 0, with: fresh)
    #expect(try resumes())
    try fixture.tickets.rotate()
    #expect(try resumes())
    try fixture.tickets.rotate()
    #expect(try resumes())
    try fixture.tickets.rotate()
    #expect(try !resumes())
    #expect(fixture.statistics { $0[.handshakesResumed] == 4 }[.handshakesResumed] == 4)
  }

  @Test func rotatingUnderLoadBreaksNoHandshake() throws {
    let fixture = try fixture()
    defer { fixture.stop() }
    let tickets = fixture.tickets
    let isDone = Flag()
    let thread = Thread {
      while !isDone.value { try? tickets.rotate() }
    }
    thread.start()
    for _ in 0..<100 {
      let client = try fixture.connect()
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response()?.status == 200)
      client.close()
    }
    isDone.value = true
    #expect(fixture.statistics { $0[.accepted] == 100 && $0.open == 0 }[.handshakesFailed] == 0)
  }

  @Test func openConnectionsOutliveTheirCertificate() throws {
    let fixture = try fixture()
    defer { fixture.stop() }
    let client = try fixture.connect()
    for _ in 0..<3 {
      let fresh = try ServerFixture.context(fixture.authority, names: Self.names, tickets: fixture.tickets)
      fixture.server.replaceTLS(ofListener: 0, with: fresh)
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.response()?.status == 200)
    }
  }
}
