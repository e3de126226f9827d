import Testing
import TestSupport

@testable import HTTPClient

@Suite(.waits) struct HTTPSURLTests {
  @Test(arguments: [
    ("https://packs.example.com", "packs.example.com", 443, "/", "packs.example.com"),
    ("HTTPS://Packs.Example.COM/a?b=c#d", "packs.example.com", 443, "/a?b=c", "packs.example.com"),
    ("https://localhost:8443/x", "localhost", 8443, "/x", "localhost:8443"),
    ("https://localhost:443", "localhost", 443, "/", "localhost"),
    ("https://localhost:", "localhost", 443, "/", "localhost"),
    ("https://[::1]:8443/", "::1", 8443, "/", "[::1]:8443"),
    ("https://[0:0::1]", "::1", 443, "/", "[::1]"),
    ("https://192.0.2.1?q", "192.0.2.1", 443, "/?q", "192.0.2.1"),
    ("https://h/%20", "h", 443, "/%20", "h"),
  ])
  func aGoodURLIsTakenApart(text: String, host: String, port: Int, target: String, authority: String) throws {
    let url = try HTTPSURL(text)
    #expect(url.host == host)
    #expect(url.port == UInt16(port))
    #expect(url.target == target)
    #expect(url.authority == authority)
  }

  @Test(arguments: [
    "http://localhost/", "localhost:8443", "", "https://", "https:///x", "https://user@host/", "https://host:0/",
    "https://host:65536/", "https://host:x/", "https://::1/", "https://[::1/", "https://[localhost]/",
    "https://host/a b", "https://hést/", "https://host/\r\nX: y", "https://*.example.com/", "https://a..b/",
    "https://host:+1/", "https://[::1]x/", "ftp://host/",
  ])
  func aURLThatCannotBeUsedIsRefusedWithASentence(text: String) {
    let failure = #expect(throws: HTTPClientFailure.self) { try HTTPSURL(text) }
    #expect(failure?.sentence.hasPrefix("\"\(text)\" is not a usable URL: ") == true)
  }

  @Test func pathsAndQueriesAreAppendedEncoded() throws {
    let base = try HTTPSURL("https://h:1/base/?old")
    #expect(base.appending(path: "v1/apps").description == "https://h:1/base/v1/apps")
    let query = base.appending(path: "v1/apps", query: [("filter[bundleId]", "a b&c"), ("limit", "2")])
    #expect(query.target == "/base/v1/apps?filter%5BbundleId%5D=a%20b%26c&limit=2")
  }

  @Test func referencesAreResolved() throws {
    let base = try HTTPSURL("https://h:1/base/")
    #expect(try base.resolving("/x?y").description == "https://h:1/x?y")
    #expect(try base.resolving("https://other/z").description == "https://other/z")
    #expect(throws: HTTPClientFailure.self) { try base.resolving("//evil/") }
  }
}
