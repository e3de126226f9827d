import Foundation
import TLS
import Testing
import TestSupport

@testable import HTTPClient

@Suite(.waits) struct TrustTests {
  @Test func namesAndAddressesOfTheCertificateAreAccepted() throws {
    let server = try TLSServer()
    for host in ["localhost", "127.0.0.1"] {
      let answer = try server.client().collect(ClientRequest("GET", try server.url("/connections", host: host)))
      #expect(answer.response.status == 200)
    }
  }

  @Test func anUnknownAuthorityIsRefusedWithAdvice() throws {
    let server = try TLSServer()
    let other = try CertificateAuthority.makeDevelopment(now: Int64(Date().timeIntervalSince1970))
    for trust in [ClientTLS.Trust.system, .only(PEMText(file: "other.pem", bytes: other.certificatePEM))] {
      let client = HTTPSClient(tls: try ClientTLS(trust: trust))
      let failure = #expect(throws: HTTPClientFailure.self) {
        try client.collect(ClientRequest("GET", try server.url("/")))
      }
      let sentence = failure?.sentence ?? ""
      #expect(sentence.hasPrefix("The certificate of localhost:\(server.port) is not signed by a trusted authority ("))
      #expect(sentence.hasSuffix("pass --ca FILE with the authority's certificate."))
    }
  }

  @Test func aCertificateForOtherNamesIsRefusedAndItsNamesAreSaid() throws {
    let server = try TLSServer()
    // Another loopback address reaches the server by an address that is not in its certificate.
    let failure = #expect(throws: HTTPClientFailure.self) {
      try server.client().collect(ClientRequest("GET", try server.url("/", host: "127.0.0.2")))
    }
    // Not every system routes the whole of 127/8 to a listener on 127.0.0.1; then it is refused before TLS.
    if case .tls(let inner)? = failure {
      #expect(inner == .wrongName(host: "127.0.0.2:\(server.port)", names: ["localhost", "127.0.0.1", "::1"]))
    } else {
      #expect(failure == .refused("127.0.0.2:\(server.port)"))
    }
  }

  @Test func nobodyListeningIsSaidWithAQuestion() throws {
    // Port 1 is reserved and nothing listens there.
    let client = HTTPSClient(tls: try ClientTLS())
    let failure = #expect(throws: HTTPClientFailure.self) {
      try client.collect(ClientRequest("GET", try HTTPSURL("https://127.0.0.1:1/")))
    }
    #expect(
      failure?.sentence
        == "Nothing listens on 127.0.0.1:1; is packhouse running, and is this its address and port?")
  }

  @Test func aServerWithoutTLSIsNamed() throws {
    let script = """
      import socket
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      conn, _ = listener.accept()
      conn.recv(1000)
      conn.sendall(b"HTTP/1.1 400 Bad Request\\r\\nContent-Length: 0\\r\\n\\r\\n")
      conn.recv(1000)
      """
    let server = try TLSServer(script: script)
    let failure = #expect(throws: HTTPClientFailure.self) {
      try server.client().collect(ClientRequest("GET", try server.url("/")))
    }
    guard case .tls(.handshake)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }
}
