import COpenSSL
import Digests

/// One certificate of a listener, as OpenSSL's context for one loop.
final class CertificateContext {
  let context: OpaquePointer
  /// The DNS names that it is for; a wildcard as it is written.
  let names: [String]

  /// Throws what does not fit.
  init(
    _ pair: ServerCertificates.Pair, clientAuthority: PEMText?, tickets: TicketKeys?, library: LibraryContext
  ) throws(TLSFailure) {
    let chain = try Certificate.parseAll(pair.certificate, in: library)
    let privateKey = try PrivateKey.parse(pair.key, in: library)
    names = chain.first?.alternativeNames ?? []
    guard let context = SSL_CTX_new_ex(library.handle, nil, TLS_server_method()) else {
      throw .fromQueue(during: "making a server context")
    }
    self.context = context
    guard packhouse_server_defaults(context) == 1 else { throw .fromQueue(during: "setting the server's TLS rules") }
    if let tickets, packhouse_use_tickets(context, tickets.keys) != 1 {
      throw .fromQueue(during: "setting the keys of session tickets")
    }
    for (index, certificate) in chain.enumerated() {
      let isAdded =
        index == 0
        ? SSL_CTX_use_certificate(context, certificate.pointer) == 1
        : packhouse_add_chain_certificate(context, certificate.pointer) == 1
      guard isAdded else { throw .fromQueue(during: "using the certificates in \(pair.certificate.file)") }
    }
    guard SSL_CTX_use_PrivateKey(context, privateKey.pointer) == 1, SSL_CTX_check_private_key(context) == 1 else {
      _ = TLSFailure.drainQueue()
      throw .keyMismatch(certificateFile: pair.certificate.file, keyFile: pair.key.file)
    }
    if let clientAuthority { try require(clientAuthority, library) }
  }

  deinit { SSL_CTX_free(context) }

  /// Refuses clients that no certificate in `authority` has signed.
  private func require(_ authority: PEMText, _ library: LibraryContext) throws(TLSFailure) {
    for certificate in try Certificate.parseAll(authority, in: library) {
      guard X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.pointer) == 1,
        SSL_CTX_add_client_CA(context, certificate.pointer) == 1
      else { throw .fromQueue(during: "using the authorities in \(authority.file)") }
    }
    packhouse_require_client_certificate(context)
    // A ticket stands for a client that was let in under this authority, so it must be good for no other.
    let mark = Array("packhouse".utf8) + Digest.sha256(authority.bytes).prefix(16)
    guard SSL_CTX_set_session_id_context(context, mark, UInt32(mark.count)) == 1 else {
      throw .fromQueue(during: "using the authorities in \(authority.file)")
    }
  }
}
