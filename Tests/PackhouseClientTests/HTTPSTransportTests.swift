import Foundation
import Testing
import TestSupport

@testable import PackhouseClient

@Suite(.waits) struct HTTPSTransportTests {
  private let body: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 * 31) >> 3) }

  private func get(
    _ path: String, _ server: TLSServer, host: String = "localhost", trusts: Bool = true,
    fields: [(name: String, value: String)] = []
  ) throws -> (response: TransportResponse, body: [UInt8]) {
    let transport = try HTTPSTransport(authorities: trusts ? server.authority.certificatePEM : nil)
    var bytes: [UInt8] = []
    let request = TransportRequest(url: "https://\(host):\(server.port)\(path)", fields: fields)
    let response = try transport.get(request) { _, piece throws(ManagedBackgroundAssetsError) in bytes += piece }
    return (response, bytes)
  }

  private func failure(_ body: () throws -> Void) -> ManagedBackgroundAssetsError? {
    do { try body() } catch { return error as? ManagedBackgroundAssetsError }
    return nil
  }

  @Test func bytesAndRangesCome() throws {
    let server = try TLSServer(script: packServerScript)
    #expect(try get("/pack", server).body == body)
    let part = try get("/pack", server, fields: [("Range", "bytes=299990-"), ("If-Range", "\"v1\"")])
    #expect(part.response.status == 206)
    #expect(part.response["content-range"] == "bytes 299990-299999/300000")
    #expect(part.body == Array(body[299_990...]))
    #expect(try get("/gone", server).response.status == 404)
  }

  @Test func aCutIsTransientAndBrings() throws {
    let server = try TLSServer(script: packServerScript)
    #expect(failure { _ = try get("/cut", server) }?.isTransient == true)
    #expect(failure { _ = try get("/pack", server, host: "nowhere.invalid") }?.isTransient == false)
  }

  @Test func whatReceiveThrowsComesOut() throws {
    let server = try TLSServer(script: packServerScript)
    let transport = try HTTPSTransport(authorities: server.authority.certificatePEM)
    #expect(throws: ManagedBackgroundAssetsError.cancelled) {
      try transport.get(TransportRequest(url: "https://localhost:\(server.port)/pack")) {
        _, _ throws(ManagedBackgroundAssetsError) in throw .cancelled
      }
    }
  }

  @Test func aCertificateThatIsNotTrustedIsNamed() throws {
    let server = try TLSServer(script: packServerScript)
    guard case .certificate? = failure({ _ = try get("/pack", server, trusts: false) }) else {
      Issue.record("expected a certificate failure")
      return
    }
  }

  /// The same as with a clock that goes wrong.
  @Test(arguments: [-259_200, 259_200] as [Int64])
  func aCertificateForAnotherTimeIsNamed(issued: Int64) throws {
    let server = try TLSServer(script: packServerScript, issued: issued)
    guard case .certificate(let sentence)? = failure({ _ = try get("/pack", server) }) else {
      Issue.record("expected a certificate failure")
      return
    }
    #expect(sentence.contains("cannot be used now"), "\(sentence)")
  }

  @Test func whatIsNotHTTPSIsRefused() throws {
    let transport = try HTTPSTransport()
    #expect(throws: ManagedBackgroundAssetsError.self) {
      try transport.get(TransportRequest(url: "http://localhost/")) { _, _ throws(ManagedBackgroundAssetsError) in }
    }
  }
}
