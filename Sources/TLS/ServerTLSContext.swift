import COpenSSL

/// What a listener presents to its clients: certificate chains, private keys and the server's rules
/// (TLS 1.2 and 1.3, ECDHE with AES-GCM or ChaCha20 only, no compression, no renegotiation, ALPN
/// `http/1.1`, one session ticket for each handshake).
///
/// `@unchecked Sendable` is safe: an `SSL_CTX` is reference counted and locked by OpenSSL, and nothing
/// here changes it after `init`.
package final class ServerTLSContext: @unchecked Sendable {
  /// The first certificate's.
  var handle: OpaquePointer { certificates[0].context }
  let wire: OpaquePointer
  private let certificates: [CertificateContext]
  private let names: ServerNameTable
  // OpenSSL has a pointer to its keys only.
  private let tickets: TicketKeys?

  /// Uses a chain (leaf first) and the leaf's private key.
  package convenience init(certificate: PEMText, key: PEMText) throws(TLSFailure) {
    try self.init(ServerCertificates([.init(certificate: certificate, key: key)]))
  }

  /// Uses several certificates, chosen by the name that the client asks for. `tickets` may be shared with the context
  /// that this one replaces; without them tickets end with the context.
  ///
  /// Throws what does not fit; `CertificatePair.check` also says what devices would refuse.
  package init(_ certificates: ServerCertificates, tickets: TicketKeys? = nil) throws(TLSFailure) {
    var contexts: [CertificateContext] = []
    for pair in certificates.pairs {
      contexts.append(try CertificateContext(pair, clientAuthority: certificates.clientAuthority, tickets: tickets))
    }
    guard let first = contexts.first else {
      throw .notPEM(file: "The list of certificates", expected: "a certificate")
    }
    let names = ServerNameTable(contexts.flatMap { context in context.names.map { ($0, context.context) } })
    if contexts.count > 1, packhouse_choose_by_name(first.context, names.table) != 1 {
      throw .fromQueue(during: "choosing certificates by name")
    }
    guard let method = packhouse_wire_method() else { throw .fromQueue(during: "making a server context") }
    self.certificates = contexts
    self.names = names
    self.tickets = tickets
    wire = method
  }

  deinit { BIO_meth_free(wire) }
}
