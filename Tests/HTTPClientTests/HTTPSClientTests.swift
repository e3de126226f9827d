import EventLoop
import Foundation
import SystemIO
import TLS
import Testing
import TestSupport

@testable import HTTPClient

@Suite(.waits) struct HTTPSClientTests {
  let server: TLSServer

  init() throws { server = try TLSServer() }

  @Test func eachFramingOfABodyIsRead() throws {
    #expect(try server.get("/chunked").body == "hello, world")
    #expect(try server.get("/until-close").body == "all of it")
    #expect(try server.get("/interim").body == "final")
    let missing = try server.get("/missing")
    #expect(missing.status == 404)
    #expect(missing.body == "nothing here")
  }

  @Test func aHeadRequestHasNoBody() throws {
    let client = try server.client()
    let answer = try client.collect(ClientRequest("HEAD", try server.url("/x")))
    #expect(answer.response["content-length"] == "1000")
    #expect(answer.body.isEmpty)
    #expect(try server.get("/connections", client).body == "1.2")
  }

  @Test func oneConnectionCarriesSeveralRequests() throws {
    let client = try server.client()
    #expect(try server.get("/connections", client).body == "1.1")
    #expect(try server.get("/chunked", client).body == "hello, world")
    #expect(try server.get("/connections", client).body == "1.3")
    #expect(try server.get("/until-close", client).body == "all of it")
    #expect(try server.get("/connections", client).body == "2.1")
  }

  @Test func aConnectionThatTheServerLeftIsReplaced() throws {
    let client = try server.client()
    for number in 1...4 { #expect(try server.get("/last", client).body == "\(number)") }
  }

  @Test func cutBodiesAreFailuresThatSayHowMuchCame() throws {
    let label = "localhost:\(server.port)"
    #expect(throws: HTTPClientFailure.bodyTruncated(label, received: 10, expected: 100)) {
      try server.get("/truncated")
    }
    #expect(throws: HTTPClientFailure.bodyTruncated(label, received: 5, expected: nil)) {
      try server.get("/chunked-cut")
    }
    #expect(throws: HTTPClientFailure.tls(.truncated(host: label))) { try server.get("/until-close-cut") }
  }

  @Test func answersThatAreNotHTTPAreRefused() throws {
    for path in ["/garbage", "/two-lengths", "/chunked-bad"] {
      let failure = #expect(throws: HTTPClientFailure.self) { try server.get(path) }
      guard case .malformedResponse? = failure else {
        Issue.record("\(path): \(String(describing: failure))")
        continue
      }
    }
  }

  @Test func aSilentServerIsGivenUp() throws {
    #expect(throws: HTTPClientFailure.tls(.timedOut(during: "waiting for localhost:\(server.port)", seconds: 1))) {
      try server.get("/silent", try server.client(noProgress: .seconds(1)))
    }
  }

  @Test func aServerThatDripsIsGivenUpAfterTheWholeTime() throws {
    let trust = ClientTLS.Trust.only(PEMText(file: "ca.pem", bytes: server.authority.certificatePEM))
    var patience = ClientPatience(connect: .seconds(20), noProgress: .seconds(20))
    patience.whole = .seconds(1)
    let client = HTTPSClient(tls: try ClientTLS(trust: trust), patience: patience)
    let start = ContinuousClock.now
    #expect(throws: HTTPClientFailure.self) { _ = try client.collect(ClientRequest("GET", try server.url("/drip"))) }
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test func waitingEndsAtOnceWhenItIsCancelled() throws {
    let trust = ClientTLS.Trust.only(PEMText(file: "ca.pem", bytes: server.authority.certificatePEM))
    let pipe = Pipe()
    var patience = ClientPatience(connect: .seconds(20), noProgress: .seconds(20))
    patience.cancellation = pipe.fileHandleForReading.fileDescriptor
    let client = HTTPSClient(tls: try ClientTLS(trust: trust), patience: patience)
    #expect(try server.get("/chunked", client).body == "hello, world")
    pipe.fileHandleForWriting.write(Data([1]))
    let failure = #expect(throws: HTTPClientFailure.self) {
      _ = try client.collect(ClientRequest("GET", try server.url("/silent")))
    }
    switch failure {
    case .unreachable(_, let reason)?, .tls(.system(let reason))?: #expect(reason.code == ECANCELED)
    default: Issue.record("\(String(describing: failure))")
    }
  }

  @Test func anAddressThatIsNotAdmittedIsNotConnectedTo() throws {
    let trust = ClientTLS.Trust.only(PEMText(file: "ca.pem", bytes: server.authority.certificatePEM))
    for host in ["localhost", "127.0.0.1"] {
      let url = try server.url("/connections", host: host)
      let refusing = HTTPSClient(tls: try ClientTLS(trust: trust), admits: { $0.isPublic })
      let failure = #expect(throws: HTTPClientFailure.self) { _ = try refusing.collect(ClientRequest("GET", url)) }
      guard case .addressNotAllowed(host, _) = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
    }
    // Nobody has connected yet.
    let admitting = HTTPSClient(tls: try ClientTLS(trust: trust), admits: { !$0.isPublic })
    #expect(try server.get("/connections", admitting).body == "1.1")
  }

  @Test func bodiesFromMemoryAndFilesArriveWhole() throws {
    let client = try server.client()
    var bytes = [UInt8](repeating: 0, count: 3_000_001)
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3) }
    let path = server.folder.appendingPathComponent("body").path
    try Data([1, 2, 3] + bytes).write(to: URL(fileURLWithPath: path))
    let file = try FileDescriptor.open(path, O_RDONLY)
    var sent: [Int64] = []
    var request = ClientRequest(
      "PUT", try server.url("/digest"), body: .file(file.raw, path: path, offset: 3, length: Int64(bytes.count)))
    request.onProgress = { sent.append($0) }
    let streamed = try client.collect(request).body
    let whole = try client.collect(ClientRequest("PUT", try server.url("/digest"), body: .bytes(bytes))).body
    #expect(streamed.count == 64)
    #expect(streamed == whole)
    #expect(sent.last == 3_000_001)
    #expect(sent == sent.sorted())
    let empty = try client.collect(ClientRequest("PUT", try server.url("/digest"), body: .bytes([]))).body
    #expect(String(decoding: empty, as: UTF8.self).hasPrefix("e3b0c44298fc1c14"))
  }

  @Test func aFileThatIsTooShortIsNotSentAsIfItWereWhole() throws {
    let path = server.folder.appendingPathComponent("short").path
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    let file = try FileDescriptor.open(path, O_RDONLY)
    #expect(throws: HTTPClientFailure.requestBodyShort(length: 10, at: 3)) {
      try server.client().collect(
        ClientRequest("PUT", try server.url("/digest"), body: .file(file.raw, path: path, offset: 0, length: 10)))
    }
  }

  @Test func anAnswerThatComesBeforeTheBodyIsSentIsSeen() throws {
    let body = RequestBody.source(length: 1 << 30) { _, buffer throws(SystemFailure) in buffer.count }
    let answer = try server.client().collect(ClientRequest("PUT", try server.url("/early"), body: body))
    #expect(answer.response.status == 413)
    #expect(answer.body == Array("too large".utf8))
  }

  @Test func aBodyBeyondTheLimitIsNotCollected() throws {
    let client = try server.client()
    #expect(throws: HTTPClientFailure.responseTooLarge("localhost:\(server.port)", limit: 1000)) {
      try client.collect(ClientRequest("GET", try server.url("/bytes/1001")), limit: 1000)
    }
    #expect(try client.collect(ClientRequest("GET", try server.url("/bytes/1000")), limit: 1000).body.count == 1000)
    var count = 0
    _ = try client.perform(ClientRequest("GET", try server.url("/bytes/20000000"))) { _, bytes in count += bytes.count }
    #expect(count == 20_000_000)
  }

  @Test func redirectsAreFollowedOnlyWhenAskedFor() throws {
    let client = try server.client()
    var request = ClientRequest("GET", try server.url("/redirect"), fields: [("Authorization", "Bearer x")])
    #expect(try client.collect(request).response.status == 302)
    request.redirectLimit = 3
    let followed = try client.collect(request)
    #expect(followed.response.status == 200)
    #expect(followed.response.url.target == "/fields")
    #expect(String(decoding: followed.body, as: UTF8.self).contains("authorization=Bearer x"))
    request.url = try server.url("/loop")
    #expect(throws: HTTPClientFailure.tooManyRedirects(request.url.description, limit: 3)) {
      try client.collect(request)
    }
    request.url = try server.url("/redirect-plain")
    #expect(throws: HTTPClientFailure.badRedirect(request.url.description, location: "http://127.0.0.1/")) {
      try client.collect(request)
    }
  }

  @Test func aFieldCannotBreakOutOfItsLine() throws {
    let request = ClientRequest("GET", try server.url("/fields"), fields: [("X", "a\r\nHost: evil")])
    #expect(throws: HTTPClientFailure.self) { try server.client().collect(request) }
  }
}
