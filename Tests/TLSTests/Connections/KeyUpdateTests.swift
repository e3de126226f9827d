import COpenSSL
import SystemIO
import Testing

@testable import TLS

/// A client that asks for new keys (RFC 8446 section 4.6.3), over memory on both sides.
@Suite final class KeyUpdateTests {
  private let server: ServerTLSConnection
  private let sink = TLSSink(capacity: 300_000)
  private let context: OpaquePointer
  private let client: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer

  /// Records that the server makes before it takes new keys by itself.
  private static let recordsPerKey: UInt64 = 20

  init() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: WallClock.system.now())
    let leaf = try authority.issueLeaf(names: ["localhost"], now: WallClock.system.now())
    server = try ServerTLSConnection(
      ServerTLSContext(
        certificate: PEMText(file: "leaf", bytes: leaf.certificatePEM), key: PEMText(file: "key", bytes: leaf.keyPEM)),
      sink: sink, recordsPerKey: Self.recordsPerKey)
    context = try #require(SSL_CTX_new(TLS_client_method()))
    client = try #require(SSL_new(context))
    incoming = try #require(BIO_new(BIO_s_mem()))
    outgoing = try #require(BIO_new(BIO_s_mem()))
    SSL_set_bio(client, incoming, outgoing)
    SSL_set_connect_state(client)
  }

  deinit {
    SSL_free(client)
    SSL_CTX_free(context)
  }

  /// What the server has for the client, and what the client has for the server.
  private func carry() -> [UInt8] {
    let bytes = sink.bytes
    if bytes.count > 0 { BIO_write(incoming, bytes.baseAddress, Int32(bytes.count)) }
    sink.removeAll()
    var buffer = [UInt8](repeating: 0, count: 100_000)
    let count = BIO_read(outgoing, &buffer, Int32(buffer.count))
    return Array(buffer.prefix(max(0, Int(count))))
  }

  private func shakeHands() {
    for _ in 0..<4 {
      SSL_do_handshake(client)
      carry().withUnsafeBytes {
        server.take($0)
        _ = server.handshake()
      }
    }
  }

  /// Whether the server reads what the client sends, and the other way round.
  private func exchange(_ question: [UInt8], _ answer: [UInt8]) -> Bool {
    SSL_write(client, question, Int32(question.count))
    var asked = [UInt8](repeating: 0, count: 70_000)
    var count = 0
    carry().withUnsafeBytes { bytes in
      server.take(bytes)
      asked.withUnsafeMutableBytes { if case .bytes(let read) = server.read(into: $0) { count = read } }
    }
    guard answer.withUnsafeBytes({ server.write($0) }) == .bytes(answer.count) else { return false }
    _ = carry()
    var answered: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 20_000)
    while true {
      let read = SSL_read(client, &piece, Int32(piece.count))
      guard read > 0 else { break }
      answered += piece.prefix(Int(read))
    }
    return Array(asked.prefix(count)) == question && answered == answer
  }

  @Test func theServerAnswersWithNewKeysOfItsOwnAgainAndAgain() {
    shakeHands()
    #expect(server.version == "TLSv1.3")
    #expect(server.sealsItsRecords)
    let answer = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    #expect(exchange([1, 2, 3], answer))
    for round in UInt8(1)...5 {
      #expect(SSL_key_update(client, SSL_KEY_UPDATE_REQUESTED) == 1)
      #expect(exchange([round], answer), "round \(round)")
      // The next ones under the same keys.
      #expect(exchange([round, round], answer), "round \(round)")
      #expect(!server.sealsItsRecords)
    }
  }

  @Test func newKeysOfTheClientAloneChangeNothingForTheServer() {
    shakeHands()
    for round in UInt8(1)...3 {
      #expect(SSL_key_update(client, SSL_KEY_UPDATE_NOT_REQUESTED) == 1)
      #expect(exchange([round], [round, 0]))
      #expect(server.sealsItsRecords)
    }
  }

  @Test func noKeyIsUsedForTooManyRecords() {
    shakeHands()
    var seen: [Bool] = []
    for round in UInt8(0)..<100 {
      #expect(exchange([round], [round, 0]), "round \(round)")
      seen.append(server.sealsItsRecords)
    }
    // Those of the handshake count as well.
    #expect((10...20).contains(seen.firstIndex(of: false) ?? 0))
  }
}
