import AssetPacks
import Testing

struct HostTests {
  static let table: [(entry: String, matching: [String], other: [String])] = [
    (
      "packs.example.com",
      [
        "packs.example.com", "PACKS.Example.COM", "packs.example.com.", "packs.example.com:8443",
        "packs.example.com.:1",
      ],
      [
        "example.com", "a.packs.example.com", "packs.example.com..", "packs.example.com:x", "packs.example.com:",
        "packs.example.com:99999", "", "packs.example.com/", "user@packs.example.com", " packs.example.com",
      ]
    ),
    (
      "*.example.com", ["a.example.com", "a.b.example.com", "A.EXAMPLE.com:443"],
      ["example.com", ".example.com", "aexample.com", "a.example.com.evil.org", "-.example.com", "*.example.com"]
    ),
    ("Example.COM.:443", ["example.com"], ["www.example.com"]),
    ("192.168.1.5", ["192.168.1.5", "192.168.1.5:8443"], ["192.168.1.50", "192.168.001.5", "1.192.168.1.5"]),
    ("[::1]", ["[::1]", "[::1]:8443", "[0:0:0:0:0:0:0:1]"], ["::1", "[::2]", "[::1", "[::1]x", "[::1%25lo]"]),
    ("2001:DB8::A", ["[2001:db8:0::a]", "[2001:db8::a]:443"], ["[2001:db8::b]"]),
    ("::ffff:10.0.0.1", ["[::ffff:10.0.0.1]", "[::ffff:a00:1]"], ["10.0.0.1"]),
    ("xn--bcher-kva.example", ["XN--BCHER-KVA.example"], ["bücher.example"]),
    ("localhost", ["localhost", "LOCALHOST:1"], ["localhost.localdomain"]),
  ]

  @Test(arguments: table)
  func allowListMatches(_ row: (entry: String, matching: [String], other: [String])) throws {
    let list = try DomainAllowList([row.entry])
    for host in row.matching { #expect(list.matches(host: host), "\(row.entry) should match \(host)") }
    for host in row.other { #expect(!list.matches(host: host), "\(row.entry) should not match \(host)") }
  }

  @Test(arguments: [
    ("", "it is empty, expected a host such as packs.example.com"),
    ("https://a.example", "expected the host alone, found a URL"),
    ("a.example/x", "expected the host alone, found a path"),
    ("*", "expected a name after the wildcard, as in *.example.com"),
    ("a.*.example", "a wildcard stands only as the whole first label, as in *.example.com"),
    ("a*.example", "a wildcard stands only as the whole first label, as in *.example.com"),
    ("*.*.example", "a wildcard stands only as the whole first label, as in *.example.com"),
    ("*.10.0.0.1", "a wildcard stands before a name, not an address"),
    ("bücher.example", "expected the name's A-labels (xn--…), found letters beyond ASCII"),
    ("a..example", "expected labels of letters, digits and hyphens between dots, or an IP address"),
    ("a_b.example", "expected labels of letters, digits and hyphens between dots, or an IP address"),
    ("10.0.0.300", "expected labels of letters, digits and hyphens between dots, or an IP address"),
    ("[1::2::3]", "expected labels of letters, digits and hyphens between dots, or an IP address"),
  ])
  func otherEntriesAreRefused(_ entry: String, _ problem: String) {
    #expect(
      failure { _ = try DomainAllowList(["ok.example", entry]) }
        == "\"\(entry)\" is not an entry of a domain allow-list: \(problem)")
  }

  @Test func allowListIsNeverEmpty() throws {
    #expect(
      failure { _ = try DomainAllowList([]) }
        == "the domain allow-list is empty, expected at least the manifest's host")
    #expect(
      failure { _ = try DomainAllowList([String](repeating: "a", count: 201)) }
        == "the domain allow-list has 201 entries, expected at most 200")
    #expect(try DomainAllowList(["A.example", "a.example:1", "*.B.example"]).entries == ["a.example", "*.b.example"])
  }

  @Test(arguments: [
    ("https://packs.example.com", "https://packs.example.com"),
    ("HTTPS://Packs.Example.com:443/", "https://packs.example.com"),
    ("https://a.example:8443/x/y/", "https://a.example:8443/x/y"), ("https://127.0.0.1:1", "https://127.0.0.1:1"),
    ("https://[0:0:0:0:0:0:0:1]", "https://[::1]"), ("https://[2001:db8:0:0:1:0:0:0]", "https://[2001:db8:0:0:1::]"),
    ("https://[::ffff:1.2.3.4]", "https://[::ffff:102:304]"), ("https://[0:0:0:0:0:0:0:0]", "https://[::]"),
    ("https://[1:2:3:0:5:6:7:8]", "https://[1:2:3:0:5:6:7:8]"),
  ])
  func baseURLsAreNormal(_ text: String, _ normal: String) throws {
    #expect(try PublicBaseURL(text).text == normal)
  }

  @Test(arguments: [
    ("http://a.example", "expected https:// at the beginning; devices refuse everything else, on localhost too"),
    ("", "expected https:// at the beginning; devices refuse everything else, on localhost too"),
    ("https://", "expected a host, and after a colon a port up to 65535, found \"\""),
    ("https:///x", "expected a host, and after a colon a port up to 65535, found \"\""),
    ("https://a:99999", "expected a host, and after a colon a port up to 65535, found \"a:99999\""),
    ("https://a:0", "expected a port from 1 to 65535, found 0"),
    ("https://u:p@a", "expected no user name or password"),
    ("https://a/?x", "expected no query and no fragment"),
    ("https://a/x//y", "expected a path of letters, digits and - . _ ~ without empty, \".\" and \"..\" parts"),
    ("https://a/../y", "expected a path of letters, digits and - . _ ~ without empty, \".\" and \"..\" parts"),
    ("https://a/\"", "expected a path of letters, digits and - . _ ~ without empty, \".\" and \"..\" parts"),
  ])
  func otherBaseURLsAreRefused(_ text: String, _ problem: String) {
    let found = failure { _ = try PublicBaseURL(text) }
    #expect(found.hasSuffix("is not a public base URL: \(problem)"), "\(found)")
  }

  @Test(arguments: [
    ("platform=iOS", Platform.iOS), ("PLATFORM=MACOS", .macOS), ("a=b&platform=tvos&platform=iOS", .tvOS),
    ("platform=x&platform=VisionOS", .visionOS), ("", nil), ("platform", nil), ("platform=", nil),
    ("platform=iOS2", nil),
    ("xplatform=iOS", nil), ("&&=&%", nil), ("platform=watchOS", nil),
  ])
  func platformQueriesAreNeverErrors(_ query: String, _ platform: Platform?) {
    #expect(PlatformQuery.platform(in: Array(query.utf8)) == platform)
  }
}
