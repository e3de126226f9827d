import COpenSSL
import Glibc
import Values

/// A private certificate authority, for development and for networks of one's own.
package struct CertificateAuthority: Sendable {
  /// The authority's certificate; this is what goes onto devices and into `--ca`.
  package let certificatePEM: [UInt8]
  /// Its private key, unencrypted. Store it with mode 0600.
  package let keyPEM: [UInt8]

  /// Takes up an authority that was stored. Throws when the two do not belong together.
  package init(certificate: PEMText, key: PEMText) throws(TLSFailure) {
    let parsed = try Certificate.parseAll(certificate)
    let parsedKey = try PrivateKey.parse(key)
    guard let first = parsed.first, X509_check_private_key(first.pointer, parsedKey.pointer) == 1 else {
      _ = TLSFailure.drainQueue()
      throw .keyMismatch(certificateFile: certificate.file, keyFile: key.file)
    }
    certificatePEM = certificate.bytes
    keyPEM = key.bytes
  }

  private init(certificatePEM: [UInt8], keyPEM: [UInt8]) {
    self.certificatePEM = certificatePEM
    self.keyPEM = keyPEM
  }

  /// Makes a fresh authority that is valid for ten years from one hour before `now` (seconds since 1970 UTC), so that
  /// a device whose clock is a little behind accepts it. It can sign leaves only (path length 0).
  package static func makeDevelopment(now: Int64) throws(TLSFailure) -> CertificateAuthority {
    let notBefore = now - clockTolerance
    let draft = try CertificateDraft(notBefore: notBefore, notAfter: notBefore + 3650 * CertificateTime.day - 1)
    // Devices list roots by name: a few random digits tell one machine's authority from another's.
    try draft.setSubject(commonName: "Packhouse Development Authority \(try randomDigits())")
    try draft.finish(
      issuer: draft.certificate, issuerKey: draft.key,
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
        (NID_key_usage, "critical,keyCertSign,cRLSign"),
        (NID_subject_key_identifier, "hash"),
      ])
    return CertificateAuthority(certificatePEM: try draft.certificate.pem(), keyPEM: try draft.key.pem())
  }

  /// Issues a server certificate for `names` and, always, localhost, 127.0.0.1 and ::1. The first name becomes the
  /// common name. `days` is 1…825; the certificate never outlives the authority. `now` is in seconds since 1970 UTC.
  package func issueLeaf(names: [String], days: Int = 398, now: Int64) throws(TLSFailure) -> IssuedCertificate {
    guard (1...825).contains(days) else { throw .invalidLifetime(days: days) }
    let authorityText = PEMText(file: "the authority's certificate", bytes: certificatePEM)
    guard let authority = try Certificate.parseAll(authorityText).first, let facts = authority.facts else {
      throw .notPEM(file: authorityText.file, expected: "a certificate")
    }
    guard facts.notAfter >= now else { throw .expired(file: authorityText.file, at: facts.notAfter) }
    let authorityKey = try PrivateKey.parse(PEMText(file: "the authority's key", bytes: keyPEM))
    var subjects: [SubjectName] = []
    for name in names + ["localhost", "127.0.0.1", "::1"] {
      let subject = try SubjectName(name)
      if !subjects.contains(subject) { subjects.append(subject) }
    }
    let notBefore = max(facts.notBefore, now - Self.clockTolerance)
    let notAfter = min(facts.notAfter, notBefore + Int64(days) * CertificateTime.day - 1)
    let draft = try CertificateDraft(notBefore: notBefore, notAfter: notAfter)
    try draft.setSubject(commonName: subjects.first?.text ?? "localhost")
    try draft.finish(
      issuer: authority, issuerKey: authorityKey,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"),
        (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"),
        (NID_subject_key_identifier, "hash"),
        (NID_authority_key_identifier, "keyid:always"),
        (NID_subject_alt_name, subjects.map(\.configuration).joined(separator: ",")),
      ])
    return IssuedCertificate(certificatePEM: try draft.certificate.pem(), keyPEM: try draft.key.pem())
  }

  /// One hour, in seconds.
  private static let clockTolerance: Int64 = 3600

  private static func randomDigits() throws(TLSFailure) -> String {
    var bytes = [UInt8](repeating: 0, count: 3)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw .fromQueue(during: "naming an authority") }
    return hexadecimal(bytes, uppercase: true)
  }
}

/// A server certificate with its private key.
package struct IssuedCertificate: Sendable {
  package let certificatePEM: [UInt8]
  /// Unencrypted. Store it with mode 0600.
  package let keyPEM: [UInt8]
}
