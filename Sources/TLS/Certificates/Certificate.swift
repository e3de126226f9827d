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
