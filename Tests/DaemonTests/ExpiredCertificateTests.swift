import Foundation
import SystemIO
import Testing
import TestSupport

/// A certificate whose time is over is no reason not to serve.
@Suite(.waits) struct ExpiredCertificateTests {
  /// What a client that looks at no dates gets; the admin listener has the same certificate.
  private func ask(_ daemon: TestDaemon, _ target: String, port: UInt16) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      "printf 'GET \(target) HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer \(daemon.token)\\r\\n"
        + "Connection: close\\r\\n\\r\\n' "
        + "| timeout 20 openssl s_client -quiet -connect 127.0.0.1:\(port) 2>/dev/null",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func waitForStatus(_ daemon: TestDaemon, _ isIt: (String) -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      for line in try daemon.notifications.next() where line.hasPrefix("STATUS=") && isIt(line) { return }
    }
    throw Failure("no such status within 60 s")
  }

  @Test func oneThatHasExpiredIsServedFromTheStart() throws {
    let now = WallClock.system.now()
    let authority = try TestAuthority(age: 40 * 86_400)
    let daemon = try TestDaemon.service(authority: authority) { folder, authority in
      try authority.issue(into: folder, validUntil: now - 86_400)
      return ("", "")
    }
    #expect(daemon.process.errors.contains("NO DEVICE CONNECTS to the client listener."))
    #expect(throws: (any Error).self) { try daemon.raw() }
    #expect(try ask(daemon, "/", port: daemon.port).contains("HTTP/1.1 421"))
    #expect(try ask(daemon, "/metrics", port: daemon.adminPort).contains("packhouse_certificates_invalid 2"))
    // The renewed one is brought into service by itself.
    try authority.issue(into: daemon.folder)
    try waitForStatus(daemon) { !$0.contains("CERTIFICATE") }
    #expect(try daemon.admin().get("/metrics").text.contains("packhouse_certificates_invalid 0"))
    #expect(try daemon.client().get("/").status == 421)
    try daemon.stop()
  }

  @Test func oneThatExpiresMeanwhileIsServedOn() throws {
    let now = WallClock.system.now()
    let authority = try TestAuthority(age: 40 * 86_400)
    let daemon = try TestDaemon.service(authority: authority) { folder, authority in
      try authority.issue(into: folder, validUntil: now + 8)
      return ("", "")
    }
    try waitForStatus(daemon) { $0.contains("CERTIFICATE: The certificate in") && $0.contains("expired at") }
    #expect(daemon.process.errors.contains("NO DEVICE CONNECTS to the client listener."))
    #expect(try ask(daemon, "/", port: daemon.port).contains("HTTP/1.1 421"))
    // One that is not valid yet is no worse, and the next good one ends it.
    try authority.issue(into: daemon.folder)
    try waitForStatus(daemon) { !$0.contains("CERTIFICATE") }
    // From now on an expired one is refused again.
    try authority.issue(into: daemon.folder, validUntil: now - 86_400)
    try daemon.waitForLog("The old certificate stays in use. The certificate in")
    #expect(try daemon.client().get("/").status == 421)
    try daemon.stop()
  }
}
