import Foundation
import Testing

@testable import TLS

@Suite struct CertificatePairTests {
  let now = Int64(Date().timeIntervalSince1970)

  private func check(_ certificate: [UInt8], _ key: [UInt8], at moment: Int64? = nil) -> CertificatePair.Report {
    CertificatePair.check(
      certificate: PEMText(file: "server.pem", bytes: certificate), key: PEMText(file: "server.key", bytes: key),
      now: moment ?? now)
  }

  @Test func aGoodPairHasNoFaults() throws {
    let leaf = try CertificateAuthority.makeDevelopment(now: now).issueLeaf(names: ["packs.example.com"], now: now)
    let report = check(leaf.certificatePEM, leaf.keyPEM)
    #expect(report.sentences == [])
    #expect(report.facts?.names.first == "packs.example.com")
  }

  @Test func aKeyOfAnotherCertificateIsNamed() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let one = try authority.issueLeaf(names: [], now: now)
    let other = try authority.issueLeaf(names: [], now: now)
    #expect(
      check(one.certificatePEM, other.keyPEM).sentences == [
        "The private key in server.key does not belong to the certificate in server.pem."
      ])
  }

  @Test func filesThatAreNotPEMAreNamedBoth() {
    #expect(
      check(Array("hello".utf8), []).faults == [
        .notPEM(file: "server.pem", expected: "a certificate"), .notPEM(file: "server.key", expected: "a private key"),
      ])
  }

  @Test func datesAreComparedWithTheGivenMoment() throws {
    let leaf = try CertificateAuthority.makeDevelopment(now: 1_767_225_600).issueLeaf(
      names: [], days: 1, now: 1_767_225_600)
    #expect(
      check(leaf.certificatePEM, leaf.keyPEM, at: 1_767_400_000).sentences == [
        "The certificate in server.pem expired at 2026-01-01 22:59:59 UTC; renew it."
      ])
    #expect(
      check(leaf.certificatePEM, leaf.keyPEM, at: 1_767_000_000).sentences == [
        "The certificate in server.pem is not valid before 2025-12-31 23:00:00 UTC; check this machine's clock."
      ])
  }

  @Test func aShortRSAKeyAndAMissingNameAreBothReported() throws {
    let command = try OpenSSLCommand()
    let made = try command.run(
      "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=x",
      "-days", "30")
    #expect(made.status == 0, "\(made.output)")
    // The certificate begins when the program runs, which may be a second later than this test.
    let report = check(try command.read("cert.pem"), try command.read("key.pem"), at: now + 3600)
    #expect(
      report.faults == [
        .noAlternativeName(file: "server.pem"), .weakKey(file: "server.pem", kind: "RSA", bits: 1024),
      ])
  }

  @Test func aKeyWithAPassPhraseIsRefusedWithoutAsking() throws {
    let command = try OpenSSLCommand()
    try command.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "plain.pem")
    try command.run("pkcs8", "-topk8", "-in", "plain.pem", "-out", "locked.pem", "-passout", "pass:secret")
    let leaf = try CertificateAuthority.makeDevelopment(now: now).issueLeaf(names: [], now: now)
    #expect(
      check(leaf.certificatePEM, try command.read("locked.pem")).faults == [.encryptedKey(file: "server.key")])
  }
}
