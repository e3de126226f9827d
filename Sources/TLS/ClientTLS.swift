import COpenSSL
import SystemIO

/// How this process makes TLS connections to others: TLS 1.2 or newer, the peer's certificate always verified, ALPN
/// "http/1.1".
///
/// `@unchecked Sendable`: the context is only configured in `init`; OpenSSL locks what later changes in it.
package final class ClientTLS: @unchecked Sendable {
  /// Whose signature makes a peer's certificate trusted.
  package enum Trust: Sendable {
    /// The machine's own store, which SSL_CERT_FILE and SSL_CERT_DIR move.
    case system
    /// These certificates and no others.
    case only(PEMText)
  }

  let context: OpaquePointer

  /// Throws `.notPEM` when the given authorities cannot be read.
  package init(trust: Trust = .system) throws(TLSFailure) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .fromQueue(during: "making a TLS context") }
    self.context = context
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    let http: [UInt8] = [8] + Array("http/1.1".utf8)
    // Of these calls only ALPN's answers 0 for success.
    guard packhouse_prepare_client(context) == 1, SSL_CTX_set_alpn_protos(context, http, UInt32(http.count)) == 0 else {
      throw .fromQueue(during: "setting up a TLS context")
    }
    switch trust {
    case .system:
      guard SSL_CTX_set_default_verify_paths(context) == 1 else {
        throw .fromQueue(during: "reading the machine's trusted authorities")
      }
    case .only(let text):
      let store = SSL_CTX_get_cert_store(context)
      for certificate in try Certificate.parseAll(text) {
        guard X509_STORE_add_cert(store, certificate.pointer) == 1 else {
          throw .fromQueue(during: "trusting the certificates in \(text.file)")
        }
      }
    }
  }

  deinit { SSL_CTX_free(context) }
}
