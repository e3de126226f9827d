import Foundation
import SystemIO
import Testing

@testable import TLS

/// The server's side over memory, against a client over a socket pair.
@Suite struct SealedRecordTests {
  @Test func recordsAreSealedIntoTheSinkAndArriveWhole() async throws {
    let authority = try CertificateAuthority.makeDevelopment(now: WallClock.system.now())
    let leaf = try authority.issueLeaf(names: ["localhost"], now: WallClock.system.now())
    let context = try ServerTLSContext(
      certificate: PEMText(file: "leaf", bytes: leaf.certificatePEM), key: PEMText(file: "key", bytes: leaf.keyPEM))
    let trust = try ClientTLS(trust: .only(PEMText(file: "authority", bytes: authority.certificatePEM)))
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    let (near, far) = (pair[0], pair[1])
    _ = fcntl(far, F_SETFL, O_NONBLOCK)
    let content = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }
    let client = Task.detached { () throws -> [UInt8] in
      let connection = try BlockingTLSConnection(
        over: FileDescriptor(owning: far), context: trust, host: "localhost", label: "test",
        patience: ClientPatience(noProgress: .seconds(20)))
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while received.count < content.count {
        let count = try buffer.withUnsafeMutableBytes { try connection.receive(into: $0) }
        if count == 0 { break }
        received += buffer[0..<count]
      }
      return received
    }
    let sink = TLSSink(capacity: 100_000)
    let server = try ServerTLSConnection(context, sink: sink)
    var input = [UInt8](repeating: 0, count: 20_000)
    while !server.isEstablished {
      let count = recv(near, &input, input.count, 0)
      try #require(count > 0)
      input.withUnsafeBytes { server.take(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
      _ = server.handshake()
      _ = Glibc.send(near, sink.bytes.baseAddress, sink.count, 0)
      sink.removeAll()
    }
    #expect(server.version == "TLSv1.3")
    #expect(server.sealsItsRecords)
    #expect(content.withUnsafeBytes { server.write($0) } == .bytes(content.count))
    // Four records, each with its head, its type and its tag.
    #expect(sink.count == content.count + 4 * (5 + 1 + 16))
    _ = Glibc.send(near, sink.bytes.baseAddress, sink.count, 0)
    #expect(try await client.value == content)
    close(near)
  }
}
