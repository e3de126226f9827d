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

  /// Uses a chain (leaf first) and the leaf's private key.
  ///
  /// Throws what does not fit; `CertificatePair.check` also says what devices would refuse.
  package init(certificate: PEMText, key: PEMText) throws(TLSFailure) {
    let chain = try Certificate.parseAll(certificate)
    let certificateFile = certificate.file
    let privateKey = try PrivateKey.parse(key)
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .fromQueue(during: "making a server context") }
    handle = context
    guard let method = packhouse_wire_method() else {
      SSL_CTX_free(context)
      throw .fromQueue(during: "making a server context")
    }
    wire = method
    guard packhouse_server_defaults(context) == 1 else { throw .fromQueue(during: "setting the server's TLS rules") }
    for (index, certificate) in chain.enumerated() {
      let isAdded =
        index == 0
        ? SSL_CTX_use_certificate(context, certificate.pointer) == 1
        : packhouse_add_chain_certificate(context, certificate.pointer) == 1
      guard isAdded else { throw .fromQueue(during: "using the certificates in \(certificateFile)") }
    }
    guard SSL_CTX_use_PrivateKey(context, privateKey.pointer) == 1, SSL_CTX_check_private_key(context) == 1 else {
      _ = TLSFailure.drainQueue()
      throw .keyMismatch(certificateFile: certificate.file, keyFile: key.file)
    }
  }

  deinit {
    SSL_CTX_free(handle)
    BIO_meth_free(wire)
  }
}
