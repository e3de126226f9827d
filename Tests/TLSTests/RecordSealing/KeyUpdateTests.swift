import COpenSSL
import SystemIO
import Testing

@testable import TLS

/// A client that asks for new keys (RFC 8446 section 4.6.3), over memory on both sides.
@Suite struct KeyUpdateTests {
  private let server: ServerTLSConnection
  private let sink = TLSSink(capacity: 300_000)
  private let client: MemoryClient

  /// Records that the server makes before it takes new keys by itself.
  private static let recordsPerKey: UInt64 = 20
  private static let answer = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

  init() throws {
    let authority = try CertificateAuthority.makeDevelopment(now: WallClock.system.now())
    let leaf = try authority.issueLeaf(names: ["localhost"], now: WallClock.system.now())
    server = try ServerTLSConnection(
      ServerTLSContext(
        certificate: PEMText(file: "leaf", bytes: leaf.certificatePEM), key: PEMText(file: "key", bytes: leaf.keyPEM)),
      sink: sink, recordsPerKey: Self.recordsPerKey)
    client = try MemoryClient()
  }

  private func shakeHands() {
    for _ in 0..<4 {
      client.handshake()
      client.takeOutput().withUnsafeBytes {
        server.take($0)
        _ = server.handshake()
      }
      carryToClient()
    }
  }

  private func carryToClient() {
    client.take(sink.bytes)
    sink.removeAll()
  }

  /// Whether the server reads what the client sends, and the other way round.
  private func exchange(_ question: [UInt8], _ answer: [UInt8]) -> Bool {
    guard client.write(question) else { return false }
    var asked = [UInt8](repeating: 0, count: 70_000)
    var count = 0
    client.takeOutput().withUnsafeBytes { bytes in
      server.take(bytes)
      asked.withUnsafeMutableBytes { if case .bytes(let read) = server.read(into: $0) { count = read } }
    }
    guard answer.withUnsafeBytes({ server.write($0) }) == .bytes(answer.count) else { return false }
    carryToClient()
    var answered: [UInt8] = []
    while case .bytes(let piece) = client.read(upTo: 20_000) { answered += piece }
    return Array(asked.prefix(count)) == question && answered == answer
  }

  /// From 3.2 on OpenSSL hands new keys over as well; before, it keeps them.
  private static let handsNewKeysOver = OpenSSL_version_num() >= 0x3020_0000

  @Test func theServerAnswersWithNewKeysOfItsOwnAgainAndAgain() {
    shakeHands()
    #expect(server.version == "TLSv1.3")
    #expect(server.sealsItsRecords)
    #expect(exchange([1, 2, 3], Self.answer))
    for round in UInt8(1)...5 {
      #expect(client.updateKey(SSL_KEY_UPDATE_REQUESTED))
      #expect(exchange([round], Self.answer), "round \(round)")
      // The next ones under the same keys.
      #expect(exchange([round, round], Self.answer), "round \(round)")
      #expect(server.sealsItsRecords == Self.handsNewKeysOver)
    }
  }

  @Test func newKeysOfTheClientAloneChangeNothingForTheServer() {
    shakeHands()
    for round in UInt8(1)...3 {
      #expect(client.updateKey(SSL_KEY_UPDATE_NOT_REQUESTED))
      #expect(exchange([round], [round, 0]))
      #expect(server.sealsItsRecords)
    }
  }

  @Test func noKeyIsUsedForTooManyRecords() {
    shakeHands()
    // Changes with the key; 0 for one that OpenSSL keeps.
    let first = server.wire.pointee.records.owner
    #expect(first != 0)
    var seen: [UInt64] = []
    for round in UInt8(0)..<100 {
      #expect(exchange([round], [round, 0]), "round \(round)")
      seen.append(server.wire.pointee.records.owner)
    }
    // Those of the handshake count as well.
    #expect((10...20).contains(seen.firstIndex { $0 != first } ?? 0))
  }
}
