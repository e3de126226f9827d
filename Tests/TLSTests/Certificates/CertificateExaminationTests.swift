import Foundation
import Testing

@testable import TLS

@Suite struct CertificateExaminationTests {
  let now = Int64(Date().timeIntervalSince1970)

  private func examine(
    _ chain: [UInt8], key: [UInt8]? = nil, host: String? = "packs.example.com",
    trust: CertificateExamination.Trust = .chainItself, at moment: Int64? = nil
  ) throws -> [CertificateCheck] {
    try CertificateExamination.examine(
      chain: PEMText(file: "server.pem", bytes: chain), key: key.map { PEMText(file: "server.key", bytes: $0) },
      host: host, trust: trust, now: moment ?? now)
  }

  private func faults(_ checks: [CertificateCheck]) -> [String] {
    checks.filter { $0.verdict == .fault }.map(\.sentence)
  }

  private func authority() throws -> (authority: CertificateAuthority, trust: CertificateExamination.Trust) {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    return (authority, .only(PEMText(file: "ca.pem", bytes: authority.certificatePEM)))
  }

  @Test func aCertificateOfOurOwnIsInOrder() throws {
    let (authority, trust) = try authority()
    let leaf = try authority.issueLeaf(names: ["packs.example.com", "192.168.1.5"], now: now)
    for host in ["packs.example.com", "192.168.1.5", "::1"] {
      let checks = try examine(leaf.certificatePEM, key: leaf.keyPEM, host: host, trust: trust)
      #expect(checks.allSatisfy { $0.verdict == .ok && $0.fix == nil }, "\(checks)")
      #expect(
        checks.map(\.name)
          == [
            "chain", "key-file", "name", "key", "signature", "lifetime", "use", "expiry",
          ].map { "certificate.\($0)" })
    }
    // With the root in the file, the file is enough.
    let whole = try examine(leaf.certificatePEM + authority.certificatePEM)
    #expect(faults(whole) == [])
  }

  @Test func namesAndKeysThatDoNotFitAreNamed() throws {
    let (authority, trust) = try authority()
    let leaf = try authority.issueLeaf(names: ["packs.example.com"], now: now)
    let checks = try examine(leaf.certificatePEM, key: authority.keyPEM, host: "other.example.com", trust: trust)
    #expect(
      faults(checks) == [
        "The private key in server.key does not belong to the certificate in server.pem.",
        "The certificate is for packs.example.com, localhost, 127.0.0.1, ::1, and not for other.example.com.",
      ])
  }

  @Test func aMissingAuthorityAndAStrangeOneAreToldApart() throws {
    let (authority, _) = try authority()
    let (_, other) = try self.authority()
    let leaf = try authority.issueLeaf(names: ["packs.example.com"], now: now)
    let missing = try examine(leaf.certificatePEM, trust: other)
    #expect(faults(missing).count == 1)
    #expect(faults(missing).first?.hasSuffix("which is not there and not trusted.") == true)
    let strange = try examine(leaf.certificatePEM + authority.certificatePEM, trust: other)
    #expect(faults(strange).count == 1)
    #expect(faults(strange).first?.hasSuffix("which is not trusted here.") == true)
    let swapped = try examine(authority.certificatePEM + leaf.certificatePEM)
    #expect(faults(swapped).contains("The first certificate in server.pem is an authority's and not the server's."))
  }

  @Test func datesAreComparedWithTheGivenMoment() throws {
    let start: Int64 = 1_767_225_600
    let authority = try CertificateAuthority.makeDevelopment(now: start)
    let trust = CertificateExamination.Trust.only(PEMText(file: "ca.pem", bytes: authority.certificatePEM))
    let leaf = try authority.issueLeaf(names: ["packs.example.com"], days: 30, now: start)
    let day: Int64 = 86_400
    let late = try examine(leaf.certificatePEM, trust: trust, at: start + 40 * day)
    #expect(faults(late).first?.contains("expired at 2026-01-30 22:59:59 UTC") == true)
    let early = try examine(leaf.certificatePEM, trust: trust, at: start - day)
    #expect(faults(early).first?.contains("is not valid before 2025-12-31 23:00:00 UTC") == true)
    let soon = try examine(leaf.certificatePEM, trust: trust, at: start + 25 * day)
    #expect(faults(soon) == [])
    #expect(soon.last?.verdict == .warning)
  }

  /// What `openssl req` is told, and the one fault besides that the certificate has signed itself.
  @Test(arguments: [
    (["-newkey", "rsa:1024", "-sha256", "-days", "30"], "The key of CN=x is RSA with 1024 bits."),
    (["-newkey", "rsa:2048", "-sha1", "-days", "30"], "The signature on CN=x is made with SHA1."),
    (
      ["-newkey", "rsa:2048", "-sha256", "-days", "900"],
      "The certificate is made for 900 days, and devices take 825 at most."
    ),
    (
      ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp224r1", "-sha256", "-days", "30"],
      "The key of CN=x is EC with 224 bits."
    ),
  ])
  func weaknessesAreFound(arguments: [String], sentence: String) throws {
    let command = try OpenSSLCommand()
    let made = try command.run(
      all: ["req", "-x509", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=x"] + arguments + [
        "-addext", "subjectAltName=DNS:packs.example.com", "-addext", "extendedKeyUsage=serverAuth", "-addext",
        "basicConstraints=critical,CA:FALSE",
      ])
    #expect(made.status == 0, "\(made.output)")
    let checks = try examine(try command.read("cert.pem"), trust: .system, at: now + 60)
    #expect(faults(checks).filter { !$0.hasPrefix("The chain") && !$0.contains("signed itself") } == [sentence])
  }

  @Test func aCertificateWithoutNamesAndUseIsForNobody() throws {
    let command = try OpenSSLCommand()
    let made = try command.run(
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=x",
      "-days", "30")
    #expect(made.status == 0, "\(made.output)")
    let found = faults(try examine(try command.read("cert.pem"), at: now + 60))
    #expect(found.contains("The certificate has no DNS name or IP address as subject alternative name."))
    #expect(found.contains("The extended key usage lacks serverAuth, so devices do not take it for a server's."))
  }

  @Test func theEncodingIsTheOneInsideThePEM() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let text = String(decoding: authority.certificatePEM, as: UTF8.self)
    let body = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    let der = try PEMText(file: "ca.pem", bytes: authority.certificatePEM).firstCertificateDER()
    #expect(Data(der) == Data(base64Encoded: body))
  }
}
