import COpenSSL
import SystemIO

/// Lets a server that seals its records speak to a plain OpenSSL client, in memory, and compares what arrives: data in
/// records of several sizes, KeyUpdates, and both kinds of alert, with each cipher that is sealed.
struct RecordSealingSelfTest {
  /// The cipher suites whose records are sealed.
  static let ciphers = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"]

  /// How a conversation ends, after data.
  private enum Ending: CaseIterable {
    case closeNotify, fatalAlert, keyUpdates
  }

  /// Bytes of one write each: the smallest and the largest record, one byte more, and many in a row.
  private static let sizes = [1, 16_384, 16_385, 70_000] + (0..<40).map { 1 + $0 * 37 }
  private static let content = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }

  let fault: RecordSealingFault?

  /// Throws the first thing that is not as it should be.
  func run() throws(RecordSealingMismatch) {
    let pair: (certificate: PEMText, key: PEMText)
    do throws(TLSFailure) { pair = try Self.makeCertificate() } catch { throw .setup(error) }
    for cipher in Self.ciphers {
      let kind = fault?.cipher == cipher ? fault?.kind : nil
      let context: ServerTLSContext
      do throws(TLSFailure) {
        context = try ServerTLSContext(
          certificate: pair.certificate, key: pair.key, sealsRecords: kind != .keysNotTaken)
      } catch {
        throw .setup(error)
      }
      for ending in Ending.allCases {
        var conversation: SealedConversation
        do throws(TLSFailure) {
          conversation = try SealedConversation(context, cipher: cipher, fault: kind)
        } catch {
          throw .setup(error)
        }
        try Self.hold(&conversation, ending)
      }
    }
  }

  private static func hold(
    _ conversation: inout SealedConversation, _ ending: Ending
  ) throws(RecordSealingMismatch) {
    try conversation.shakeHands()
    for size in sizes { try conversation.send(content[..<size], "a write of \(size) bytes") }
    switch ending {
    case .closeNotify: try conversation.close()
    case .fatalAlert: try conversation.provokeAlert()
    case .keyUpdates:
      for round in 1...2 {
        try conversation.updateKeys()
        for size in [1, 16_385] {
          try conversation.send(content[..<size], "a write of \(size) bytes after KeyUpdate \(round)", isLate: true)
        }
      }
      try conversation.close()
    }
  }

  /// A certificate of its own for an hour: that of the listeners need not be valid, and its key may be slow.
  private static func makeCertificate() throws(TLSFailure) -> (certificate: PEMText, key: PEMText) {
    let now = WallClock.system.now()
    let draft = try CertificateDraft(notBefore: now - 3600, notAfter: now + 3600)
    try draft.setSubject(commonName: "self-test")
    try draft.finish(issuer: draft.certificate, issuerKey: draft.key, extensions: [])
    return (
      PEMText(file: "the certificate of the self-test", bytes: try draft.certificate.pem()),
      PEMText(file: "the key of the self-test", bytes: try draft.key.pem())
    )
  }
}
