import Testing

@testable import HTTPCore

/// Requests that must be accepted, and what is read from them.
struct Accepted: CustomTestStringConvertible, Sendable {
  var request: String
  var expected: String

  init(_ request: String, _ expected: String) {
    self.request = request
    self.expected = expected
  }

  var testDescription: String { request.debugDescription }

  static let rows: [Accepted] = [
    .init("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / - 1.1 a none true false"),
    .init("GET /a/b?c=d&e HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a/b c=d&e 1.1 a none true false"),
    .init("GET /? HTTP/1.1\r\nHost: a\r\n\r\n", "GET /  1.1 a none true false"),
    .init("GET /a?b?c HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a b?c 1.1 a none true false"),
    .init("GET /%41%2f HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%41%2f - 1.1 a none true false"),
    .init("GET /?%zz%1 HTTP/1.1\r\nHost: a\r\n\r\n", "GET / %zz%1 1.1 a none true false"),
    .init("GET /?filter[a]=|x HTTP/1.1\r\nHost: a\r\n\r\n", "GET / filter[a]=|x 1.1 a none true false"),
    .init("GET //a HTTP/1.1\r\nHost: a\r\n\r\n", "GET //a - 1.1 a none true false"),
    .init("HEAD / HTTP/1.1\r\nHost: a:8443\r\n\r\n", "HEAD / - 1.1 a:8443 none true false"),
    .init("GET / HTTP/1.1\r\nhOsT:a\r\n\r\n", "GET / - 1.1 a none true false"),
    .init("GET / HTTP/1.1\r\nHost: \t a \t \r\n\r\n", "GET / - 1.1 a none true false"),
    .init("GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / -1.1none"),
    .init("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET / - 1.1 [::1]:80 none true false"),
    .init("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET / - 1.1 127.0.0.1 none true false"),
    .init("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / - 1.1 a none true false 29"),
    .init("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / - 1.1 a none true false 31"),
    .init("GET / HTTP/1.0\r\n\r\n", "GET / - 1.0 - none false false 18"),
    .init("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / - 1.0 - none true false"),
    .init("GET / HTTP/1.0\r\nConnection: Keep-Alive, close\r\n\r\n", "GET / - 1.0 - none false false"),
    .init("GET / HTTP/1.0\r\nHost: b\r\n\r\n", "GET / - 1.0 b none false false"),
    .init("GET / HTTP/1.0\r\nExpect: magic\r\n\r\n", "GET / - 1.0 - none false false"),
    .init("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET / - 1.1 a none true false"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET / - 1.1 a none false false"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nConnection: x , CLOSE ,\r\n\r\n", "GET / - 1.1 a none false false"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nConnection: close\r\n\r\n", "GET / - 1.1 a none false false"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", "GET / - 1.1 a none true false"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nConnection:\r\n\r\n", "GET / - 1.1 a none true false"),
    .init("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", "PUT / - 1.1 a length(12) true false"),
    .init("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "PUT / - 1.1 a length(0) true false"),
    .init("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 007\r\n\r\n", "PUT / - 1.1 a length(7) true false"),
    .init(
      "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n",
      "PUT / - 1.1 a length(9223372036854775807) true false"),
    .init(
      "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
      "PUT / - 1.1 a length(5) true false"),
    .init("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "POST / - 1.1 a chunked true false"),
    .init("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \tChunked \r\n\r\n", "POST / - 1.1 a chunked true false"),
    .init(
      "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n",
      "PUT / - 1.1 a length(1) true true"),
    .init("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "PUT / - 1.1 a none true false"),
    .init("GET http://b/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /c d 1.1 b none true false"),
    .init("GET HTTPS://b:1 HTTP/1.1\r\nHost: a\r\n\r\n", "GET / - 1.1 b:1 none true false"),
    .init("GET http://b?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET / d 1.1 b none true false"),
    .init("GET http://b?d/e HTTP/1.1\r\nHost: a\r\n\r\n", "GET / d/e 1.1 b none true false"),
    .init("GET http://[::1]/ HTTP/1.0\r\n\r\n", "GET / - 1.0 [::1] none false false"),
    .init("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * - 1.1 a none true false"),
    .init("OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS /x - 1.1 a none true false"),
    .init("CONNECT b:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT - - 1.1 b:443 none true false"),
    .init("M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n", "M-SEARCH / - 1.1 a none true false"),
    .init("get / HTTP/1.1\r\nHost: a\r\n\r\n", "get / - 1.1 a none true false"),
    .init(
      "GET / HTTP/1.1\r\nHost: a\r\nX-Y: caf\u{e9}\t\"z\"  w\r\nEmpty:\r\nB: \t \r\n\r\n",
      "GET / - 1.1 a none true false 61 Host=a:host|X-Y=caf\u{e9}\t\"z\"  w:other|Empty=:other|B=:other"),
    .init("GET / HTTP/1.1\r\n!#$%&'*+-.^_`|~09azAZ: 1\r\nHost: a\r\n\r\n", "GET / - 1.1 a none true false"),
  ]
}

@Suite struct RequestAcceptanceTests {
  @Test(arguments: Accepted.rows.filter { !$0.expected.hasSuffix("-1.1none") })
  func readsValidRequest(_ row: Accepted) {
    let parsed = parse(row.request)
    #expect(parsed.description.hasPrefix(row.expected), "\(parsed)")
    #expect(parsed.head?.headLength == row.request.utf8.count)
  }

  @Test func anEmptyHostIsSentAndNotAbsent() {
    let parsed = parse("GET / HTTP/1.1\r\nHost:\r\n\r\n")
    #expect(parsed.head?.authority.count == 0)
  }

  @Test func everyMethodIsRecognised() {
    let methods: [RequestMethod] = [.get, .head, .options, .put, .post, .patch, .delete, .trace]
    for method in methods {
      #expect(parse("\(method.name) / HTTP/1.1\r\nHost: a\r\n\r\n").head?.method == method)
    }
    #expect(parse("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n").head?.method == .connect)
    #expect(parse("GETS / HTTP/1.1\r\nHost: a\r\n\r\n").head?.method == .other)
  }

  @Test func everyKnownFieldIsRecognisedInAnyCase() {
    let names = [
      "Range", "If-Range", "If-Match", "IF-NONE-MATCH", "If-Modified-Since", "If-Unmodified-Since", "Accept-Encoding",
      "Authorization", "Content-Type", "user-agent", "Idempotency-Key", "Hosts", "Rangy",
    ]
    let fields = names.map { "\($0): x\r\n" }.joined()
    let known = parse("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").fields.map { $0.split(separator: ":").last ?? "" }
    #expect(
      known == [
        "host", "range", "ifRange", "ifMatch", "ifNoneMatch", "ifModifiedSince", "ifUnmodifiedSince",
        "acceptEncoding", "authorization", "contentType", "userAgent", "idempotencyKey", "other", "other",
      ])
  }

  @Test(arguments: Accepted.rows) func everyPrefixNeedsMore(_ row: Accepted) {
    let bytes = Array(row.request.utf8)
    for end in 0..<bytes.count {
      let parsed = parse(Array(bytes[..<end]))
      #expect(parsed.isIncomplete, "prefix of \(end) bytes gave \(parsed)")
    }
  }

  @Test(arguments: Accepted.rows) func aDripOfBytesEqualsTheWhole(_ row: Accepted) {
    let bytes = Array(row.request.utf8)
    #expect(parse(bytes, ends: Array(0..<bytes.count)) == parse(bytes))
  }

  @Test(arguments: Accepted.rows) func bytesAfterTheHeadAreLeftAlone(_ row: Accepted) {
    let whole = parse(row.request)
    let followed = parse(row.request + "\n\0GET / HTTP/1.1\r\n\r\n")
    #expect(whole == followed)
  }

  @Test func theParserGoesOnWithTheNextRequest() throws {
    let requests = "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
    let slots = UnsafeMutableBufferPointer<FieldSlot>.allocate(capacity: 100)
    defer { slots.deallocate() }
    var parser = RequestParser(limits: RequestLimits())
    var rest = Array(requests.utf8)
    var paths: [String] = []
    while !rest.isEmpty {
      let head = rest.withUnsafeBytes { bytes -> RequestHead? in
        guard case .complete(let head) = parser.parse(bytes, fields: slots) else { return nil }
        return head
      }
      let found = try #require(head)
      paths.append(String(decoding: rest[Int(found.path.offset)...].prefix(Int(found.path.count)), as: UTF8.self))
      rest.removeFirst(found.headLength)
    }
    #expect(paths == ["/a", "/b"])
  }

  @Test func viewFindsFieldsAndCountsThem() {
    let request = "GET /p?q HTTP/1.1\r\nHost: a\r\nIf-Match: \"1\"\r\nX: 1\r\nIf-Match: \"2\"\r\n\r\n"
    let found = RequestView.parsing(Array(request.utf8)) { view in
      [
        view.first(.ifMatch).map { String(decoding: $0, as: UTF8.self) } ?? "nil",
        view.first(.range) == nil ? "no range" : "range",
        "\(view.count(of: .ifMatch)) \(view.count(of: .other)) \(view.count(of: .range))",
        String(decoding: view.path, as: UTF8.self), String(decoding: view.query, as: UTF8.self),
        String(decoding: view.authority, as: UTF8.self),
      ]
    }
    #expect(found == ["\"1\"", "no range", "2 1 0", "/p", "q", "a"])
  }
}
