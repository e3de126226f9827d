import Foundation
import Testing
import TLS
import TestSupport

@testable import Daemon

@Suite(.waits) struct CertificateTests {
  /// The names of the certificate that a client gets.
  private func names(_ daemon: TestDaemon, _ name: String = "localhost", port: UInt16? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let address = "127.0.0.1:\(port ?? daemon.port)"
    process.arguments = [
      "-c",
      "timeout 20 openssl s_client -connect \(address) -servername \(name) </dev/null 2>/dev/null "
        + "| openssl x509 -noout -ext subjectAltName",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func wait(_ what: String, until isThere: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !isThere() {
      guard ContinuousClock.now < deadline else { throw Failure("\(what) did not happen within 30 s") }
      usleep(100_000)
    }
  }

  @Test func aChangedFileIsBroughtIntoServiceByItself() throws {
    nonisolated(unsafe) var kept: TestAuthority?
    let daemon = try TestDaemon.service { _, authority in
      kept = authority
      return ("", "")
    }
    let authority = try #require(kept)
    let open = try daemon.raw()
    try authority.issue(into: daemon.folder, names: ["fresh.example.com"])
    try wait("the reload") { try names(daemon).contains("fresh.example.com") }
    #expect(daemon.process.errors.contains("The client listener has new certificates."))
    try open.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try open.answer() != nil)

    // Half of a pair is refused once, and the other half puts it right.
    let before = try readFile("leaf.pem", daemon)
    try authority.issue(into: daemon.folder, names: ["third.example.com"], as: "next")
    try daemon.folder.write("leaf.pem", try readFile("next.pem", daemon))
    let complaint = "The old certificate stays in use. The private key in"
    try wait("the refusal") { daemon.process.errors.contains(complaint) }
    #expect(try names(daemon).contains("fresh.example.com"))
    #expect(before != (try readFile("leaf.pem", daemon)))
    try daemon.folder.write("leaf.key", try readFile("next.key", daemon))
    try wait("the second reload") { try names(daemon).contains("third.example.com") }
    // Each listener says it once for each change: the admin listener uses the same files.
    #expect(daemon.process.errors.components(separatedBy: complaint).count == 3)
  }

  private func readFile(_ name: String, _ daemon: TestDaemon) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: daemon.folder.file(name))))
  }

  @Test func certificatesAreChosenByName() throws {
    let daemon = try TestDaemon.service { folder, authority in
      try authority.issue(into: folder, names: ["*.cdn.example.com"], as: "cdn")
      return (
        "certificates: [{ certificate: \"\(folder.file("cdn.pem"))\", privateKey: \"\(folder.file("cdn.key"))\" }],", ""
      )
    }
    #expect(try names(daemon, "a.cdn.example.com").contains("cdn.example.com"))
    #expect(try !names(daemon, "a.b.cdn.example.com").contains("cdn.example.com"))
    #expect(try !names(daemon, "localhost").contains("cdn.example.com"))
  }

  @Test func theAdminListenerMayAskForClientCertificates() throws {
    let daemon = try TestDaemon.service { folder, _ in
      let script = """
        set -e; cd \(folder.path)
        for name in ours theirs; do
          openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$name" \
            -keyout $name-ca.key -out $name-ca.pem
          openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=client" \
            -keyout $name.key -out $name.csr
          openssl x509 -req -in $name.csr -CA $name-ca.pem -CAkey $name-ca.key -CAcreateserial -days 2 -out $name.pem
        done
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script]
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure("openssl made no client certificates") }
      return ("", "clientAuthority: \"\(folder.file("ours-ca.pem"))\",")
    }
    func ask(_ more: String, port: UInt16) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.currentDirectoryURL = URL(fileURLWithPath: daemon.folder.path)
      process.arguments = [
        "-c",
        "printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' "
          + "| timeout 20 openssl s_client -quiet -connect 127.0.0.1:\(port) \(more) 2>&1",
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }
    for version in ["-tls1_2", "-tls1_3"] {
      #expect(try ask("\(version) -cert ours.pem -key ours.key", port: daemon.adminPort).contains("HTTP/1.1 200"))
      for more in ["", "-cert theirs.pem -key theirs.key"] {
        let answer = try ask("\(version) \(more)", port: daemon.adminPort)
        #expect(!answer.contains("HTTP/1.1"), "\(answer)")
        #expect(answer.contains("alert"), "\(answer)")
      }
      #expect(try ask(version, port: daemon.port).contains("HTTP/1.1 421"))
    }
    // A ticket of the client listener opens nothing here.
    _ = try ask("-tls1_2 -sess_out t.pem", port: daemon.port)
    #expect(try !ask("-tls1_2 -sess_in t.pem", port: daemon.adminPort).contains("HTTP/1.1"))
    // One that was let in may come back with its ticket.
    _ = try ask("-tls1_2 -cert ours.pem -key ours.key -sess_out u.pem", port: daemon.adminPort)
    #expect(try ask("-tls1_2 -sess_in u.pem", port: daemon.adminPort).contains("HTTP/1.1 200"))
    // Not any more once another authority is the one that counts.
    let other = try Data(contentsOf: URL(fileURLWithPath: daemon.folder.file("theirs-ca.pem")))
    try daemon.folder.write("ours-ca.pem", [UInt8](other))
    daemon.process.send(SIGHUP)
    let deadline = ContinuousClock.now + .seconds(60)
    while try !ask("-tls1_2 -cert theirs.pem -key theirs.key", port: daemon.adminPort).contains("HTTP/1.1 200") {
      guard ContinuousClock.now < deadline else { throw Failure("the new authority does not count after 60 s") }
      usleep(100_000)
    }
    #expect(try !ask("-tls1_2 -sess_in u.pem", port: daemon.adminPort).contains("HTTP/1.1"))
  }

  @Test func anEndThatIsNearIsTold() {
    var warnings = ExpiryWarnings()
    let day: Int64 = 86_400
    let end = 100 * day
    let steps: [(Int64, Int64?)] = [
      (0, nil), (69, nil), (70, 30), (71, nil), (85, nil), (86, 14), (92, nil), (93, 7), (98, nil), (99, 1), (100, 0),
      (101, nil),
    ]
    for (today, days) in steps {
      #expect(warnings.due(file: "a", notAfter: end, now: today * day) == days, "day \(today)")
      #expect(warnings.due(file: "a", notAfter: end, now: today * day + 1) == nil)
    }
    // At a start in the middle only the stage that counts; a new certificate begins again.
    #expect(warnings.due(file: "b", notAfter: end, now: 95 * day) == 5)
    #expect(warnings.due(file: "a", notAfter: end + 29 * day, now: 100 * day) == 29)
  }

  @Test func aCertificateThatEndsSoonIsInTheLogAtTheStart() throws {
    let daemon = try TestDaemon.service { folder, authority in
      try authority.issue(into: folder, days: 5)
      return ("", "")
    }
    try wait("the warning") { daemon.process.errors.contains("within 5 days. Renew it.") }
  }
}
