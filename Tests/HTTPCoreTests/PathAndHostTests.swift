import Testing

@testable import HTTPCore

@Suite struct PathAndHostTests {
  static let dotted: [(String, Bool)] = [
    ("/", false), ("/a", false), ("/.", true), ("/..", true), ("/../a", true), ("/a/./b", true), ("/a/../b", true),
    ("/a/..", true), ("/...", false), ("/.a", false), ("/a.", false), ("/..a", false), ("/a..", false),
    ("/%2e", true), ("/%2E%2e", true), ("/.%2e/a", true), ("/%2e.", true), ("/%2e%2e%2e", false), ("/%2ea", false),
    ("/%252e", false), ("//", false), ("", false), (".", true), ("/a%2", false), ("/.%2", false),
  ]

  @Test(arguments: dotted) func dotSegments(_ row: (String, Bool)) {
    #expect(Array(row.0.utf8).withUnsafeBytes(PercentCoding.hasDotSegments) == row.1)
  }

  static let hosts: [(String, String?)] = [
    ("example.com", "example.com"), ("EXAMPLE.Com", "example.com"), ("a.b:443", "a.b"), ("a.b:", "a.b"),
    ("a.b.", "a.b"), ("a.b.:443", "a.b"), ("[2001:DB8::1]:8443", "2001:db8::1"), ("[::1]", "::1"),
    ("127.0.0.1:80", "127.0.0.1"), ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("a_b", nil),
    ("", nil), (".", nil), ("..", nil), ("a..", nil), ("a..b", nil), (".a", nil), (":80", nil), ("a:b", nil),
    ("a:1:2", nil), ("a b", nil), ("a/b", nil), ("u@a", nil), ("a%41", nil), ("bücher", nil), ("[::1", nil),
    ("[]", nil), ("a\0", nil), ("a,b", nil), ("*.a", nil), (String(repeating: "a", count: 64), nil),
    (String(repeating: "a", count: 63), String(repeating: "a", count: 63)), ("a:65536000", nil), ("-a.b", nil),
    ("a-.b", nil), ("10.0.0.300", nil), ("a.1", nil), ("[\(String(repeating: "1", count: 46))]", nil),
  ]

  @Test(arguments: hosts) func hostNames(_ row: (String, String?)) {
    let found = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { target in
      Array(row.0.utf8).withUnsafeBytes { bytes in
        Authority.normaliseHost(bytes, into: target).map { String(decoding: target[0..<$0], as: UTF8.self) }
      }
    }
    #expect(found == row.1)
  }

  static let segments: [(String, [String]?)] = [
    ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/a%20b/%C3%A4", ["a b", "ä"]),
    ("/a+b", ["a+b"]), ("/%2F", nil), ("/%2f", nil), ("/%00", nil), ("/%ff", nil), ("/.", nil), ("/a/..", nil),
    ("/%2e%2E", nil), ("/%", nil), ("/%4", nil), ("/...", ["..."]), ("*", nil), ("", nil), ("a", nil),
  ]

  @Test(arguments: segments) func pathSegments(_ row: (String, [String]?)) {
    #expect(OwnedRequest(method: .get, path: row.0).decodedPathSegments == row.1)
  }

  static let queries: [(String?, String)] = [
    (nil, ""), ("", ""), ("a=b", "a=b"), ("a=b&c=d", "a=b;c=d"), ("a", "a="), ("a=", "a="), ("=b", "=b"),
    ("a=b=c", "a=b=c"), ("&&a=1&", "a=1"), ("filter%5BbundleId%5D=x%20y+z", "filter[bundleId]=x y z"),
    ("a=%zz%4", "a=%zz%4"), ("a=%ff", "a=\u{fffd}"),
  ]

  @Test(arguments: queries) func queryItems(_ row: (String?, String)) {
    let items = OwnedRequest(method: .get, path: "/", query: row.0).queryItems
    #expect(items.map { "\($0.0)=\($0.1)" }.joined(separator: ";") == row.1)
  }

  @Test func segmentsAreReadBack() {
    var random = SeededGenerator(state: 4)
    for _ in 0..<500 {
      let scalars = (0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x2FFF, using: &random)) }
      let text = String(String.UnicodeScalarView(scalars.filter { $0 != "/" })) + "a"
      let encoded = PercentCoding.encodeSegment(text)
      #expect(PercentCoding.decodeSegment(encoded.utf8).map { Array($0.utf8) } == Array(text.utf8))
    }
    #expect(PercentCoding.encodeSegment("a/b ?ä~") == "a%2Fb%20%3F%C3%A4~")
  }

  @Test func ownedRequestCopiesEverything() throws {
    let text = "PUT /a%20b?c=d HTTP/1.1\r\nHost: h\r\nX-Y: 1\r\nx-y: 2\r\n\r\n"
    let request = try #require(
      RequestView.parsing(Array(text.utf8)) { OwnedRequest($0, body: [1, 2], remoteAddress: "::1") })
    #expect(request.method == .put && request.methodName == "PUT" && request.path == "/a%20b")
    #expect(request.query == "c=d" && request.authority == "h" && request.body == [1, 2])
    #expect(request.field("X-y") == "1" && request.field("Z") == nil && request.fields.count == 3)
    #expect(request.decodedPathSegments == ["a b"] && request.remoteAddress == "::1")
  }
}

@Suite struct ByteKeyTableTests {
  @Test func findsEveryKeyAndNothingElse() {
    var random = SeededGenerator(state: 5)
    for size in [0, 1, 4, 5, 100, 3000] {
      let entries = (0..<size).map { (Array("/apps/com.example/packs/\($0)".utf8), Int32($0)) }
      let table = ByteKeyTable(entries, seed: random.next())
      #expect(table.count == size)
      for (key, value) in entries {
        #expect(key.withUnsafeBytes(table.lookup) == value)
        #expect(key.dropLast().withUnsafeBytes(table.lookup) != value)
      }
      #expect(Array("/nothing".utf8).withUnsafeBytes(table.lookup) == nil)
      #expect([UInt8]().withUnsafeBytes(table.lookup) == nil)
    }
  }

  @Test func theLastValueOfAKeyCounts() {
    let key = Array("key".utf8)
    let table = ByteKeyTable([(key, 1), (Array("other".utf8), 2), (key, 3), ([], 4)], seed: 7)
    #expect(table.count == 3)
    #expect(key.withUnsafeBytes(table.lookup) == 3)
    #expect([UInt8]().withUnsafeBytes(table.lookup) == 4)
  }
}
