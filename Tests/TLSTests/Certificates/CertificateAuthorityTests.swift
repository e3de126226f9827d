import Foundation
import Testing

@testable import TLS

@Suite struct CertificateAuthorityTests {
  let now = Int64(Date().timeIntervalSince1970)

  @Test func opensslVerifiesALeafAgainstItsAuthorityForEachName() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let leaf = try authority.issueLeaf(names: ["packs.example.com", "192.0.2.7", "2001:db8::7"], now: now)
    let command = try OpenSSLCommand()
    try command.write(authority.certificatePEM, to: "ca.pem")
    try command.write(leaf.certificatePEM, to: "leaf.pem")
    let base = ["-x509_strict", "-purpose", "sslserver", "-CAfile", "ca.pem"]
    for name in ["packs.example.com", "localhost"] {
      let result = try command.run(
        "verify", base[0], base[1], base[2], base[3], base[4], "-verify_hostname", name, "leaf.pem")
      #expect(result.status == 0, "\(result.output)")
    }
    for address in ["192.0.2.7", "2001:db8::7", "127.0.0.1", "::1"] {
      let result = try command.run(
        "verify", base[0], base[1], base[2], base[3], base[4], "-verify_ip", address, "leaf.pem")
      #expect(result.status == 0, "\(result.output)")
    }
    let other = try command.run("verify", "-CAfile", "ca.pem", "-verify_hostname", "other.example", "leaf.pem")
    #expect(other.status != 0)
  }

  @Test func aLeafSaysWhatDevicesAskFor() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let leaf = try authority.issueLeaf(names: ["Packs.Example.com"], now: now)
    let command = try OpenSSLCommand()
    try command.write(leaf.certificatePEM, to: "leaf.pem")
    let text = try command.run("x509", "-in", "leaf.pem", "-noout", "-text").output
    for line in [
      "Version: 3", "Signature Algorithm: ecdsa-with-SHA256", "ASN1 OID: prime256v1", "CA:FALSE", "Digital Signature",
      "TLS Web Server Authentication", "X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier",
      "DNS:packs.example.com, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
      "Subject: O = Packhouse, CN = packs.example.com",
    ] {
      #expect(text.contains(line), "\(line) is missing in \(text)")
    }
    #expect(!text.contains("Key Encipherment"))
  }

  @Test func anAuthoritySignsLeavesOnly() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let command = try OpenSSLCommand()
    try command.write(authority.certificatePEM, to: "ca.pem")
    let text = try command.run("x509", "-in", "ca.pem", "-noout", "-text").output
    for line in ["CA:TRUE, pathlen:0", "Certificate Sign, CRL Sign", "ecdsa-with-SHA256", "Packhouse Development"] {
      #expect(text.contains(line), "\(line) is missing in \(text)")
    }
    let facts = try CertificateFacts(of: PEMText(file: "ca.pem", bytes: authority.certificatePEM))
    #expect(facts.isAuthority)
    #expect(facts.notAfter - facts.notBefore + 1 == 3650 * 86_400)
  }

  @Test func aLeafIsValidForExactly398Days() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let leaf = try authority.issueLeaf(names: [], now: now)
    let facts = try CertificateFacts(of: PEMText(file: "leaf.pem", bytes: leaf.certificatePEM))
    #expect(facts.notAfter - facts.notBefore + 1 == 398 * 86_400)
    #expect(facts.notBefore == now - 3600)
    #expect(facts.names == ["localhost", "127.0.0.1", "::1"])
    #expect(!facts.isAuthority)
    #expect(facts.issuer.contains("Packhouse Development Authority"))
  }

  @Test func aLeafNeverOutlivesItsAuthority() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now - 3600 * 86_400)
    let end = try CertificateFacts(of: PEMText(file: "ca", bytes: authority.certificatePEM)).notAfter
    let leaf = try authority.issueLeaf(names: [], now: now)
    #expect(try CertificateFacts(of: PEMText(file: "leaf", bytes: leaf.certificatePEM)).notAfter == end)
    #expect(throws: TLSFailure.expired(file: "the authority's certificate", at: end)) {
      try authority.issueLeaf(names: [], now: end + 1)
    }
  }

  @Test func serialNumbersAreRandom() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let command = try OpenSSLCommand()
    var serials: Set<String> = []
    for _ in 0..<8 {
      try command.write(try authority.issueLeaf(names: [], now: now).certificatePEM, to: "leaf.pem")
      let serial = try command.run("x509", "-in", "leaf.pem", "-noout", "-serial").output
      #expect(serial.utf8.count > "serial=".utf8.count + 24)
      serials.insert(serial)
    }
    #expect(serials.count == 8)
  }

  @Test func anAuthorityComesBackFromItsFiles() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    let again = try CertificateAuthority(
      certificate: PEMText(file: "ca.pem", bytes: authority.certificatePEM),
      key: PEMText(file: "ca.key", bytes: authority.keyPEM))
    #expect(again.certificatePEM == authority.certificatePEM)
    let other = try CertificateAuthority.makeDevelopment(now: now)
    #expect(throws: TLSFailure.keyMismatch(certificateFile: "ca.pem", keyFile: "other.key")) {
      try CertificateAuthority(
        certificate: PEMText(file: "ca.pem", bytes: authority.certificatePEM),
        key: PEMText(file: "other.key", bytes: other.keyPEM))
    }
  }

  @Test(arguments: [
    "a,DNS:evil.example", "", "..", "-a.example", "a b", "exämple.com", "256.1.1.1", "*", "*.com:443", "[::1]",
    String(repeating: "a", count: 64) + ".example", "a\n.example",
  ])
  func aNameThatIsNoneIsRefused(name: String) throws {
    #expect(throws: TLSFailure.invalidName(name)) { try SubjectName(name) }
  }

  @Test(arguments: [
    ("Packs.Example.COM", "packs.example.com"), ("*.example.com", "*.example.com"), ("127.0.0.1", "127.0.0.1"),
    ("0:0:0:0:0:0:0:1", "::1"), ("my_host", "my_host"), ("xn--exmple-cua.com", "xn--exmple-cua.com"),
  ])
  func aNameIsBroughtToItsCanonicalForm(name: String, expected: String) throws {
    #expect(try SubjectName(name).text == expected)
  }

  @Test(arguments: [0, -1, 826, Int.max]) func aLifetimeThatDevicesRefuseIsNotMade(days: Int) throws {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    #expect(throws: TLSFailure.invalidLifetime(days: days)) {
      try authority.issueLeaf(names: [], days: days, now: now)
    }
  }
}
