import COpenSSL
import Glibc

/// What a listener presents: its certificates, and which clients it accepts.
package struct ServerCertificates: Sendable {
  /// A chain (leaf first) and the leaf's private key.
  package struct Pair: Sendable {
    package let certificate: PEMText
    package let key: PEMText

    package init(certificate: PEMText, key: PEMText) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The first is for clients that ask for no name, or for one that no certificate has.
  package var pairs: [Pair]
  /// Authorities one of which must have signed each client's certificate; nil lets everybody in.
  package var clientAuthority: PEMText?

  package init(_ pairs: [Pair], clientAuthority: PEMText? = nil) {
    self.pairs = pairs
    self.clientAuthority = clientAuthority
  }
}

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

/// The names of a listener's certificates, in memory that OpenSSL's callback can read. Immutable after `init`.
final class ServerNameTable {
  let table: UnsafeMutablePointer<packhouse_server_names>

  /// In the order of the certificates; the first match wins.
  init(_ names: [(name: String, context: OpaquePointer)]) {
    let entries = UnsafeMutablePointer<packhouse_server_name>.allocate(capacity: max(1, names.count))
    for (index, entry) in names.enumerated() {
      (entries + index).initialize(to: packhouse_server_name(name: strdup(entry.name), context: entry.context))
    }
    table = .allocate(capacity: 1)
    table.initialize(to: packhouse_server_names(entries: entries, count: names.count))
  }

  deinit {
    for index in 0..<table.pointee.count { free(UnsafeMutablePointer(mutating: table.pointee.entries[index].name)) }
    table.pointee.entries.deallocate()
    table.deallocate()
  }

  /// The context for a name that a client asks for; nil when no certificate has it.
  func context(for name: String) -> OpaquePointer? { packhouse_context_for(table, name) }
}
