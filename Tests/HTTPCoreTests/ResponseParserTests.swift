import Testing

@testable import HTTPCore

@Suite struct ResponseParserTests {
  func outcome(_ text: String, parser: ResponseParser = ResponseParser()) -> ResponseParser.Outcome {
    var parser = parser
    return Array(text.utf8).withUnsafeBytes { parser.parse($0) }
  }

  func head(_ text: String) -> ResponseHead? {
    guard case .complete(let head) = outcome(text) else { return nil }
    return head
  }

  func failure(_ text: String, parser: ResponseParser = ResponseParser()) -> ResponseFailure? {
    guard case .failed(let failure) = outcome(text, parser: parser) else { return nil }
    return failure
  }

  @Test func readsStatusAndFields() throws {
    let text = "HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nX:\t b \r\nx: c\r\n\r\nbody"
    let head = try #require(self.head(text))
    #expect(head.status == 206 && head.reason == "Partial Content" && head.minorVersion == 1)
    #expect(head.field("etag") == "\"a\"" && head.values(of: "X") == ["b", "c"] && head.field("Y") == nil)
    #expect(head.headLength == text.utf8.count - 4)
    #expect(self.head("HTTP/1.1 200\r\n\r\n")?.reason == "")
    #expect(self.head("HTTP/1.0 200 \r\n\r\n")?.minorVersion == 0)
  }

  @Test func everyPrefixNeedsMoreAndADripEqualsTheWhole() {
    let bytes = Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8)
    var parser = ResponseParser()
    for end in 0..<bytes.count {
      guard case .needMore = bytes[..<end].withUnsafeBytes({ parser.parse($0) }) else {
        Issue.record("prefix of \(end) bytes")
        return
      }
    }
    guard case .complete(let head) = bytes.withUnsafeBytes({ parser.parse($0) }) else {
      Issue.record("not complete")
      return
    }
    #expect(head.headLength == bytes.count)
  }

  static let malformed = [
    "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n",
    "HTTP/1.1 600 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "<html>\r\n\r\n", "\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
    "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\rC: d\r\n\r\n",
  ]

  @Test(arguments: malformed) func refuses(_ text: String) {
    #expect(failure(text)?.sentence.isEmpty == false)
  }

  @Test func limitsHold() {
    #expect(
      failure("HTTP/1.1 200 OK\r\nA: bbbbbbbbbbbbbbbbbbbbbb\r\n\r\n", parser: ResponseParser(headBytes: 30))
        == .headTooLong(limit: 30))
    #expect(
      failure("HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n", parser: ResponseParser(fields: 1)) == .tooManyFields(limit: 1))
  }

  static let framings: [(String, RequestMethod, String)] = [
    ("200 OK\r\nContent-Length: 5", .get, "length(5)"),
    ("200 OK\r\nContent-Length: 5\r\nContent-Length: 5", .get, "length(5)"),
    ("200 OK\r\nContent-Length: 5", .head, "none"),
    ("204 No Content\r\nContent-Length: 5", .get, "none"),
    ("304 Not Modified\r\nContent-Length: 5", .get, "none"),
    ("100 Continue\r\nA: b", .put, "none"),
    ("200 OK\r\nA: b", .connect, "none"),
    ("200 OK\r\nTransfer-Encoding: Chunked ", .get, "chunked"),
    ("200 OK\r\nA: b", .get, "untilClose"),
    ("200 OK\r\nContent-Length: x", .get, "malformedLength(\"x\")"),
    ("200 OK\r\nContent-Length: -1", .get, "malformedLength(\"-1\")"),
    ("200 OK\r\nContent-Length: 5\r\nContent-Length: 6", .get, "ambiguousLength"),
    ("200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", .get, "ambiguousLength"),
    ("200 OK\r\nTransfer-Encoding: gzip, chunked", .get, "unsupportedEncoding(\"gzip, chunked\")"),
  ]

  @Test(arguments: framings) func framing(_ row: (String, RequestMethod, String)) throws {
    let head = try #require(self.head("HTTP/1.1 \(row.0)\r\n\r\n"))
    do throws(ResponseFailure) {
      #expect("\(try head.framing(forMethod: row.1))" == row.2)
    } catch {
      #expect("\(error)" == row.2)
    }
  }

  @Test func connectionPersistence() {
    #expect(head("HTTP/1.1 200 OK\r\n\r\n")?.keepAlive == true)
    #expect(head("HTTP/1.1 200 OK\r\nConnection: a , Close\r\n\r\n")?.keepAlive == false)
    #expect(head("HTTP/1.0 200 OK\r\n\r\n")?.keepAlive == false)
    #expect(head("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n\r\n")?.keepAlive == true)
  }
}
