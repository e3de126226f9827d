import COpenSSL
import Glibc

/// An X.509 certificate in OpenSSL's hands (RFC 5280).
final class Certificate {
  let pointer: OpaquePointer

  /// Takes ownership of one reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { X509_free(pointer) }

  /// Reads every certificate of `text`, in order; the first is the leaf.
  static func parseAll(_ text: PEMText, in library: LibraryContext = .shared) throws(TLSFailure) -> [Certificate] {
    let buffer = try MemoryBuffer(text.bytes)
    var found: [Certificate] = []
    while let pointer = packhouse_read_certificate(buffer.bio, library.handle) {
      found.append(Certificate(owning: pointer))
    }
    // Reading past the last block always ends in "no start line".
    _ = TLSFailure.drainQueue()
    guard !found.isEmpty else { throw .notPEM(file: text.file, expected: "a certificate") }
    return found
  }

  func pem() throws(TLSFailure) -> [UInt8] {
    let buffer = try MemoryBuffer()
    guard PEM_write_bio_X509(buffer.bio, pointer) == 1 else { throw .fromQueue(during: "writing a certificate") }
    return buffer.bytes
  }

  /// What a person wants to know about it; nil when its dates are malformed.
  var facts: CertificateFacts? {
    guard let notBefore = CertificateTime.seconds(X509_get0_notBefore(pointer)),
      let notAfter = CertificateTime.seconds(X509_get0_notAfter(pointer))
    else { return nil }
    return CertificateFacts(
      subject: Self.line(X509_get_subject_name(pointer)), issuer: Self.line(X509_get_issuer_name(pointer)),
      names: alternativeNames, notBefore: notBefore, notAfter: notAfter, isAuthority: X509_check_ca(pointer) > 0)
  }

  /// The DNS names and IP addresses of the subject alternative name extension, in the certificate's order.
  var alternativeNames: [String] {
    guard let names = packhouse_subject_alternative_names(pointer) else { return [] }
    defer { GENERAL_NAMES_free(names) }
    var found: [String] = []
    for index in 0..<max(0, packhouse_sk_GENERAL_NAME_num(names)) {
      guard let name = packhouse_sk_GENERAL_NAME_value(names, index) else { continue }
      var kind: Int32 = 0
      guard let value = GENERAL_NAME_get0_value(name, &kind) else { continue }
      // Only these two kinds are strings; reading the value of another kind as one would be wrong.
      guard kind == GEN_DNS || kind == GEN_IPADD else { continue }
      let string = value.assumingMemoryBound(to: ASN1_STRING.self)
      guard let start = ASN1_STRING_get0_data(string) else { continue }
      let bytes = Array(UnsafeBufferPointer(start: start, count: max(0, Int(ASN1_STRING_length(string)))))
      found.append(kind == GEN_DNS ? String(decoding: bytes, as: UTF8.self) : SubjectName.addressText(bytes))
    }
    return found
  }

  /// "RSA" or the like, and the key's size in bits.
  var keyStrength: (kind: String, bits: Int) {
    guard let key = X509_get0_pubkey(pointer) else { return ("unknown", 0) }
    let kind = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
    return (kind, Int(EVP_PKEY_get_bits(key)))
  }

  /// A distinguished name as RFC 2253 writes it: "CN=localhost,O=Packhouse".
  private static func line(_ name: OpaquePointer?) -> String {
    guard let name, let buffer = try? MemoryBuffer(), packhouse_print_name(buffer.bio, name) >= 0 else { return "" }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

/// What a person wants to know about a certificate.
package struct CertificateFacts: Sendable, Equatable {
  /// Distinguished names as RFC 2253 writes them: "CN=localhost".
  package let subject: String
  package let issuer: String
  /// The DNS names and IP addresses that it is for.
  package let names: [String]
  /// First and last valid second, in seconds since 1970 UTC.
  package let notBefore: Int64
  package let notAfter: Int64
  /// Whether it may sign other certificates.
  package let isAuthority: Bool

  /// The facts of the first certificate of `text`.
  package init(of text: PEMText) throws(TLSFailure) {
    guard let facts = try Certificate.parseAll(text).first?.facts else {
      throw .notPEM(file: text.file, expected: "a certificate with readable dates")
    }
    self = facts
  }

  init(
    subject: String, issuer: String, names: [String], notBefore: Int64, notAfter: Int64, isAuthority: Bool
  ) {
    self.subject = subject
    self.issuer = issuer
    self.names = names
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.isAuthority = isAuthority
  }
}

/// Moments in certificates, as seconds since 1970 UTC.
package enum CertificateTime {
  /// One day in seconds; certificates know no leap seconds.
  package static let day: Int64 = 86_400

  /// "2027-03-01 12:00:00 UTC".
  package static func text(_ seconds: Int64) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&moment, &parts) != nil else { return "second \(seconds)" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress, strftime(start, buffer.count, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0 else {
        return "second \(seconds)"
      }
      return String(cString: start)
    }
  }

  /// The moment in an ASN.1 time, or nil when it is malformed (RFC 5280 section 4.1.2.5).
  static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(timegm(&parts))
  }
}
