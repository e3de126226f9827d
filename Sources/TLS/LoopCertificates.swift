import COpenSSL

/// A listener's certificates as one loop presents them.
final class LoopCertificates {
  /// The first certificate's.
  let handle: OpaquePointer
  private let certificates: [CertificateContext]
  private let names: ServerNameTable

  /// Throws what does not fit.
  init(
    _ certificates: ServerCertificates, tickets: TicketKeys?, library: LibraryContext
  ) throws(TLSFailure) {
    var contexts: [CertificateContext] = []
    for pair in certificates.pairs {
      contexts.append(
        try CertificateContext(
          pair, clientAuthority: certificates.clientAuthority, tickets: tickets, library: library))
    }
    guard let first = contexts.first else {
      throw .notPEM(file: "The list of certificates", expected: "a certificate")
    }
    let names = ServerNameTable(contexts.flatMap { context in context.names.map { ($0, context.context) } })
    if contexts.count > 1, packhouse_choose_by_name(first.context, names.table) != 1 {
      throw .fromQueue(during: "choosing certificates by name")
    }
    handle = first.context
    self.certificates = contexts
    self.names = names
  }
}
