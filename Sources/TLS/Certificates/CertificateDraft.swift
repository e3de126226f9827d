import COpenSSL
import Glibc

/// A certificate in the making: the fields that authorities and leaves have in common (RFC 5280 section 4).
struct CertificateDraft {
  let certificate: Certificate
  let key: PrivateKey

  /// Starts an X.509 v3 certificate for a fresh P-256 key, valid from `notBefore` to `notAfter`, both inclusive.
  init(notBefore: Int64, notAfter: Int64) throws(TLSFailure) {
    key = try PrivateKey.generate()
    guard let pointer = X509_new() else { throw .fromQueue(during: "making a certificate") }
    certificate = Certificate(owning: pointer)
    guard X509_set_version(pointer, 2) == 1, X509_set_pubkey(pointer, key.pointer) == 1 else {
      throw .fromQueue(during: "making a certificate")
    }
    try setSerial()
    guard ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(notBefore)) != nil,
      ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(notAfter)) != nil
    else { throw .fromQueue(during: "setting a certificate's dates") }
  }

  /// 128 random bits, taken as a positive number: at most 17 bytes (RFC 5280 section 4.1.2.2 allows 20).
  private func setSerial() throws(TLSFailure) {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw .fromQueue(during: "making a serial number") }
    guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else {
      throw .fromQueue(during: "making a serial number")
    }
    defer { BN_free(number) }
    guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.pointer)) != nil else {
      throw .fromQueue(during: "setting a serial number")
    }
  }

  /// Sets the subject to the common name, cut to the 64 characters that RFC 5280 (ub-common-name) allows, and an
  /// organization.
  func setSubject(commonName: String) throws(TLSFailure) {
    guard let name = X509_get_subject_name(certificate.pointer) else {
      throw .fromQueue(during: "setting a certificate's subject")
    }
    for (kind, value) in [("O", "Packhouse"), ("CN", String(commonName.prefix(64)))] {
      let bytes = Array(value.utf8)
      guard X509_NAME_add_entry_by_txt(name, kind, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1 else {
        throw .fromQueue(during: "setting a certificate's subject")
      }
    }
  }

  /// Adds extensions, each as in OpenSSL's configuration files, and signs with SHA-256.
  func finish(
    issuer: Certificate, issuerKey: PrivateKey, extensions: [(nid: Int32, value: String)]
  ) throws(TLSFailure) {
    guard X509_set_issuer_name(certificate.pointer, X509_get_subject_name(issuer.pointer)) == 1 else {
      throw .fromQueue(during: "setting a certificate's issuer")
    }
    for item in extensions {
      guard packhouse_add_extension(certificate.pointer, issuer.pointer, item.nid, item.value) == 1 else {
        throw .fromQueue(during: "adding a certificate's extension \"\(item.value)\"")
      }
    }
    guard X509_sign(certificate.pointer, issuerKey.pointer, EVP_sha256()) > 0 else {
      throw .fromQueue(during: "signing a certificate")
    }
  }
}
