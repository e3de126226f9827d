import COpenSSL

/// What a listener presents to its clients: certificate chains, private keys and the server's rules
/// (TLS 1.2 and 1.3, ECDHE with AES-GCM or ChaCha20 only, no compression, no renegotiation, ALPN
/// `http/1.1`, one session ticket for each handshake).
///
/// `@unchecked Sendable` is safe: an `SSL_CTX` is reference counted and locked by OpenSSL, and nothing
/// here changes it after `init`.
package final class ServerTLSContext: @unchecked Sendable {
  private let loops: [LoopCertificates]
  // OpenSSL has a pointer to its keys only.
  private let tickets: TicketKeys?
  /// Whether connections make their TLS 1.3 records themselves, where the cipher allows it; else OpenSSL does.
  package let sealsRecords: Bool

  /// Uses a chain (leaf first) and the leaf's private key.
  package convenience init(
    certificate: PEMText, key: PEMText, sealsRecords: Bool = true
  ) throws(TLSFailure) {
    try self.init(ServerCertificates([.init(certificate: certificate, key: key)]), sealsRecords: sealsRecords)
  }

  /// Uses several certificates, chosen by the name that the client asks for. `tickets` may be shared with the context
  /// that this one replaces; without them tickets end with the context. Each of `loopCount` loops gets everything for
  /// itself, because loops that share something of OpenSSL's wait for each other. `sealsRecords` is what a
  /// `RecordSealingDecision` says.
  ///
  /// Throws what does not fit; `CertificatePair.check` also says what devices would refuse.
  package init(
    _ certificates: ServerCertificates, tickets: TicketKeys? = nil, loopCount: Int = 1, sealsRecords: Bool = true
  ) throws(TLSFailure) {
    var loops: [LoopCertificates] = []
    for number in 0..<max(1, loopCount) {
      loops.append(try LoopCertificates(certificates, tickets: tickets, library: .ofLoop(number)))
    }
    self.loops = loops
    self.tickets = tickets
    self.sealsRecords = sealsRecords
  }

  /// The `SSL_CTX` for loop `number`; more loops than were announced share.
  func handle(ofLoop number: Int) -> OpaquePointer { loops[max(0, number) % loops.count].handle }
}
