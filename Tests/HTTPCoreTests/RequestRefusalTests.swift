import Testing

@testable import HTTPCore

/// Requests that must be refused, with status and code.
struct Refused: CustomTestStringConvertible, Sendable {
  var request: String
  var expected: String

  init(_ request: String, _ expected: String) {
    self.request = request
    self.expected = expected
  }

  /// A GET with these field lines after Host.
  init(fields: String, _ expected: String) {
    self.init("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n", expected)
  }

  /// A GET of this target.
  init(target: String, _ expected: String) {
    self.init("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", expected)
  }

  /// A GET with this Host.
  init(host: String, _ expected: String) {
    self.init("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", expected)
  }

  var testDescription: String { request.debugDescription }

  static let lines: [Refused] = [
    .init("\n", "400 BARE_LINE_END"),
    .init("GET / HTTP/1.1\n", "400 BARE_LINE_END"),
    .init("GET / HTTP/1.1\r\nHost: a\n\r\n", "400 BARE_LINE_END"),
    .init("GET / HTTP/1.1\rHost: a\r\n\r\n", "400 BARE_LINE_END"),
    .init("GET / HTTP/1.1\r\nHost: a\r\n\n", "400 BARE_LINE_END"),
    .init("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", "400 BARE_LINE_END"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", "400 BARE_LINE_END"),
    .init("\u{16}\u{3}\u{1}", "400 CONTROL_BYTE"),
    .init("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", "400 CONTROL_BYTE"),
    .init("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", "400 CONTROL_BYTE"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nX: \u{7f}\r\n\r\n", "400 CONTROL_BYTE"),
    .init("GET / HTTP/1.1\r\nHost: a\r\nX: 12345678\u{b}\r\n\r\n", "400 CONTROL_BYTE"),
    .init("\r\n\r\n\r\n", "400 EMPTY_LINES"),
    .init("GET\r\n\r\n", "400 MALFORMED_REQUEST_LINE"),
    .init("GET /\r\n\r\n", "400 MALFORMED_REQUEST_LINE"),
    .init("GET \r\n\r\n", "400 MALFORMED_REQUEST_LINE"),
    .init("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_REQUEST_LINE"),
    .init(" GET / HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_REQUEST_LINE"),
    .init("G\tT / HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_METHOD"),
    .init("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_METHOD"),
    .init("GÄT / HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_METHOD"),
    .init(":x: y\r\n\r\n", "400 MALFORMED_METHOD"),
    .init("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / http/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / HTTP/1.10\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / HTTP/1\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / HTTP/x.1\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / HTTP/1.1x\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / a HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_VERSION"),
    .init("GET / \r\n\r\n", "400 MALFORMED_VERSION"),
    .init("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 UNSUPPORTED_VERSION"),
    .init("GET / HTTP/3.0\r\nHost: a\r\n\r\n", "505 UNSUPPORTED_VERSION"),
    .init("GET / HTTP/0.9\r\n\r\n", "505 UNSUPPORTED_VERSION"),
  ]

  static let targets: [Refused] = [
    .init(target: "/a#b", "400 TARGET_BYTE"),
    .init(target: "/?a#b", "400 TARGET_BYTE"),
    .init(target: "/ä", "400 TARGET_BYTE"),
    .init(target: "/a\tb", "400 TARGET_BYTE"),
    .init(target: "/%", "400 PERCENT_ENCODING"),
    .init(target: "/%4", "400 PERCENT_ENCODING"),
    .init(target: "/%4g", "400 PERCENT_ENCODING"),
    .init(target: "/%4?1", "400 PERCENT_ENCODING"),
    .init(target: "http://b/%", "400 PERCENT_ENCODING"),
    .init(target: "a", "400 MALFORMED_TARGET"),
    .init(target: "?a", "400 MALFORMED_TARGET"),
    .init(target: "*", "400 MALFORMED_TARGET"),
    .init(target: "ftp://b/", "400 MALFORMED_TARGET"),
    .init(target: "http:/b", "400 MALFORMED_TARGET"),
    .init(target: "http://", "400 MALFORMED_TARGET"),
    .init(target: "http:", "400 MALFORMED_TARGET"),
    .init(target: "httpss://b", "400 MALFORMED_TARGET"),
    .init(target: "b:443", "400 MALFORMED_TARGET"),
    .init(target: "http:///a", "400 MALFORMED_HOST"),
    .init(target: "http://?a", "400 MALFORMED_HOST"),
    .init(target: "http://u@b/", "400 MALFORMED_HOST"),
    .init(target: "http://b:x/", "400 MALFORMED_HOST"),
    .init(target: "http://:80/", "400 MALFORMED_HOST"),
    .init("OPTIONS *a HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_TARGET"),
    .init("OPTIONS *?a HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_TARGET"),
    .init("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_TARGET"),
    .init("CONNECT b HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_TARGET"),
    .init("CONNECT b: HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_TARGET"),
    .init("CONNECT :443 HTTP/1.1\r\nHost: a\r\n\r\n", "400 MALFORMED_TARGET"),
    .init(target: "/" + String(repeating: "a", count: 8192), "414 TARGET_TOO_LONG"),
    .init("GET /" + String(repeating: "a", count: 9000), "414 TARGET_TOO_LONG"),
    .init(String(repeating: "a", count: 16384), "414 TARGET_TOO_LONG"),
  ]

  static let fields: [Refused] = [
    .init(fields: " X: a", "400 FOLDED_LINE"),
    .init(fields: "X: a\r\n b", "400 FOLDED_LINE"),
    .init(fields: "X: a\r\n\tb: c", "400 FOLDED_LINE"),
    .init(fields: "X : a", "400 MALFORMED_FIELD"),
    .init(fields: "X\t: a", "400 MALFORMED_FIELD"),
    .init(fields: ": a", "400 MALFORMED_FIELD"),
    .init(fields: "X", "400 MALFORMED_FIELD"),
    .init(fields: "X(Y): a", "400 MALFORMED_FIELD"),
    .init(fields: "Xä: a", "400 MALFORMED_FIELD"),
    .init(fields: "X\"Y: a", "400 MALFORMED_FIELD"),
    .init("GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400 FOLDED_LINE"),
    .init("GET / HTTP/1.1\r\n\r\n", "400 MISSING_HOST"),
    .init("GET http://a/ HTTP/1.1\r\n\r\n", "400 MISSING_HOST"),
    .init(fields: "Host: a", "400 SEVERAL_HOSTS"),
    .init(fields: "host: b", "400 SEVERAL_HOSTS"),
    .init(host: "a b", "400 MALFORMED_HOST"),
    .init(host: "a, b", "400 MALFORMED_HOST"),
    .init(host: "a,b", "400 MALFORMED_HOST"),
    .init(host: "a/b", "400 MALFORMED_HOST"),
    .init(host: "u@a", "400 MALFORMED_HOST"),
    .init(host: "a:b", "400 MALFORMED_HOST"),
    .init(host: "a:1:2", "400 MALFORMED_HOST"),
    .init(host: "a:123456", "400 MALFORMED_HOST"),
    .init(host: "[::1", "400 MALFORMED_HOST"),
    .init(host: "[::1]a", "400 MALFORMED_HOST"),
    .init(host: "[]", "400 MALFORMED_HOST"),
    .init(host: "[g]", "400 MALFORMED_HOST"),
    .init(host: "ä", "400 MALFORMED_HOST"),
    .init(fields: "Content-Length:", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: +1", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: -1", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: 0x1", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: 1 2", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: 1,1", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: 9223372036854775808", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: 99999999999999999999999", "400 MALFORMED_LENGTH"),
    .init(fields: "Content-Length: 1\r\nContent-Length: 2", "400 CONFLICTING_LENGTHS"),
    .init(fields: "Content-Length: 1\r\nTransfer-Encoding: chunked", "400 LENGTH_AND_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked\r\nContent-Length: 1", "400 LENGTH_AND_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked\r\nContent-Length: 0", "400 LENGTH_AND_ENCODING"),
    .init(fields: "Transfer-Encoding:", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: gzip", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: identity", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked, gzip", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked, chunked", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked,", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked;a=b", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: xchunked", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: \"chunked\"", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: gzip chunked", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "400 MALFORMED_ENCODING"),
    .init(fields: "Transfer-Encoding: gzip, chunked", "501 UNSUPPORTED_ENCODING"),
    .init("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "400 ENCODING_IN_HTTP_1_0"),
    .init(fields: "Expect: 200-ok", "417 UNKNOWN_EXPECTATION"),
    .init(fields: "Expect: 100-continue, b", "417 UNKNOWN_EXPECTATION"),
    .init(fields: (0..<100).map { "X\($0): a" }.joined(separator: "\r\n"), "431 TOO_MANY_FIELDS"),
    .init(fields: "X: " + String(repeating: "a", count: 16384), "431 HEAD_TOO_LONG"),
  ]
}

@Suite struct RequestRefusalTests {
  @Test(arguments: Refused.lines + Refused.targets + Refused.fields) func refuses(_ row: Refused) {
    let parsed = parse(row.request)
    #expect(parsed.description == row.expected)
    #expect(parsed.fault?.sentence.hasSuffix(".") == true || parsed.fault?.sentence.hasSuffix("?") == true)
  }

  @Test(arguments: (Refused.lines + Refused.targets + Refused.fields).filter { $0.request.utf8.count < 2000 })
  func aDripIsRefusedTheSame(_ row: Refused) {
    let bytes = Array(row.request.utf8)
    #expect(parse(bytes, ends: Array(0..<bytes.count)).description == row.expected)
  }

  @Test func limitsAreExact() {
    let limits = RequestLimits(headBytes: 100, targetBytes: 20, fields: 3)
    let exact = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: 100 - 32) + "\r\n\r\n"
    #expect(exact.utf8.count == 100)
    #expect(parse(exact, limits: limits).head?.headLength == 100)
    #expect(parse(exact.replacingBs(with: "bb"), limits: limits).description == "431 HEAD_TOO_LONG")
    let target = "/" + String(repeating: "a", count: 19)
    #expect(parse("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits).head != nil)
    #expect(parse("GET \(target)a HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits).description == "414 TARGET_TOO_LONG")
    #expect(parse("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\nB: 1\r\n\r\n", limits: limits).head?.fieldCount == 3)
    #expect(
      parse("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\nB: 1\r\nC: 1\r\n\r\n", limits: limits).description
        == "431 TOO_MANY_FIELDS")
  }
}

extension String {
  /// The text with its first `b` replaced.
  fileprivate func replacingBs(with text: String) -> String {
    guard let index = firstIndex(of: "b") else { return self }
    return self[..<index] + text + self[self.index(after: index)...]
  }
}
