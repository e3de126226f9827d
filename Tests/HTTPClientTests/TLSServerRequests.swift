import TLS

@testable import HTTPClient

extension TLSServer {
  convenience init() throws { try self.init(script: tlsServerScript) }

  /// A client that trusts this server's authority alone.
  func client(noProgress: Duration = .seconds(20)) throws -> HTTPSClient {
    let trust = ClientTLS.Trust.only(PEMText(file: "ca.pem", bytes: authority.certificatePEM))
    return HTTPSClient(
      tls: try ClientTLS(trust: trust), patience: ClientPatience(connect: .seconds(20), noProgress: noProgress))
  }

  func get(_ path: String, _ client: HTTPSClient? = nil) throws -> (status: Int, body: String) {
    let answer = try (client ?? self.client()).collect(ClientRequest("GET", try url(path)))
    return (answer.response.status, String(decoding: answer.body, as: UTF8.self))
  }
}
