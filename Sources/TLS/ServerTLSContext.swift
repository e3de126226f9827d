import COpenSSL

/// What a listener presents to its clients: certificate chain, private key and the server's rules
/// (TLS 1.2 and 1.3, ECDHE with AES-GCM or ChaCha20 only, no compression, no renegotiation, ALPN
/// `http/1.1`, one session ticket for each handshake).
///
/// `@unchecked Sendable` is safe: an `SSL_CTX` is reference counted and locked by OpenSSL, and nothing
/// here changes it after `init`.
package final class ServerTLSContext: @unchecked Sendable {
  let handle: OpaquePointer
  let wire: OpaquePointer

  /// Reads the chain (leaf first) and the key from PEM text; the names are for messages only.
  ///
  /// Throws what `CertificatePair` finds wrong with the two, or OpenSSL's own words.
  package init(
    certificatePEM: [UInt8], certificateFile: String, keyPEM: [UInt8], keyFile: String
  ) throws(TLSFailure) {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .fromQueue(during: "making a server context") }
    handle = context
    guard let method = packhouse_wire_method() else {
      SSL_CTX_free(context)
      throw .fromQueue(during: "making a server context")
    }
    wire = method
    guard packhouse_server_defaults(context) == 1 else { throw .fromQueue(during: "setting the server's TLS rules") }
    try useChain(certificatePEM, certificateFile)
    try useKey(keyPEM, keyFile)
    guard SSL_CTX_check_private_key(context) == 1 else {
      _ = TLSFailure.drainQueue()
      throw .keyMismatch(certificateFile: certificateFile, keyFile: keyFile)
    }
  }

  deinit {
    SSL_CTX_free(handle)
    BIO_meth_free(wire)
  }

  private func useChain(_ pem: [UInt8], _ file: String) throws(TLSFailure) {
    let source = try Self.memory(pem)
    defer { BIO_free(source) }
    guard let leaf = PEM_read_bio_X509(source, nil, nil, nil) else {
      _ = TLSFailure.drainQueue()
      throw .notPEM(file: file, expected: "a certificate")
    }
    defer { X509_free(leaf) }
    guard SSL_CTX_use_certificate(handle, leaf) == 1 else { throw .fromQueue(during: "using the certificate in \(file)") }
    while let issuer = PEM_read_bio_X509(source, nil, nil, nil) {
      guard packhouse_add_chain_certificate(handle, issuer) == 1 else {
        X509_free(issuer)
        throw .fromQueue(during: "using the certificate chain in \(file)")
      }
    }
    // The end of the file is reported as an error; anything else in the queue was not a certificate.
    _ = TLSFailure.drainQueue()
  }

  private func useKey(_ pem: [UInt8], _ file: String) throws(TLSFailure) {
    let source = try Self.memory(pem)
    defer { BIO_free(source) }
    // The callback keeps OpenSSL from asking for a pass phrase on the terminal.
    guard let key = PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else {
      let reasons = TLSFailure.drainQueue()
      if pem.contains("ENCRYPTED") { throw .encryptedKey(file: file) }
      if reasons.contains(where: { $0.hasPrefix("no start line") }) {
        throw .notPEM(file: file, expected: "a private key")
      }
      throw .library(during: "reading the private key in \(file)", reasons: reasons)
    }
    defer { EVP_PKEY_free(key) }
    guard SSL_CTX_use_PrivateKey(handle, key) == 1 else {
      let reasons = TLSFailure.drainQueue()
      if reasons.contains(where: { $0.hasPrefix("key values mismatch") || $0.hasPrefix("key type mismatch") }) {
        throw .keyMismatch(certificateFile: "the certificate file", keyFile: file)
      }
      throw .library(during: "using the private key in \(file)", reasons: reasons)
    }
  }

  private static func memory(_ bytes: [UInt8]) throws(TLSFailure) -> OpaquePointer {
    guard let count = Int32(exactly: bytes.count),
      let memory = bytes.withUnsafeBytes({ bytes -> OpaquePointer? in
        guard let copy = BIO_new(BIO_s_mem()) else { return nil }
        guard count == 0 || BIO_write(copy, bytes.baseAddress, count) == count else {
          BIO_free(copy)
          return nil
        }
        packhouse_bio_end_is_eof(copy)
        return copy
      })
    else { throw .fromQueue(during: "reading PEM text") }
    return memory
  }
}

extension [UInt8] {
  /// Whether the ASCII text `needle` occurs.
  fileprivate func contains(_ needle: StaticString) -> Bool {
    let count = needle.utf8CodeUnitCount
    guard self.count >= count else { return false }
    return withUnsafeBytes { bytes in
      (0...(bytes.count - count)).contains { start in
        (0..<count).allSatisfy { bytes[start + $0] == needle.utf8Start[$0] }
      }
    }
  }
}
