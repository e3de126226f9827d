import Testing
import Values

@Suite struct HostNameTests {
  private static func isName(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { HostName.isName($0) } }

  @Test(arguments: [
    "a", "a.b", "A-1.example", "xn--bcher-kva.example", "1a", "a.1b", "127.0.0.1", "255.255.255.255", "0.0.0.0",
    "1.2.3.4.a", String(repeating: "a", count: 63),
    [String](repeating: String(repeating: "a", count: 62), count: 4).joined(separator: ".") + ".b",
  ])
  func namesAndAddresses(_ text: String) {
    #expect(Self.isName(text))
    #expect(HostName(authority: text) != nil)
    #expect(HostName(authority: "\(text).:443") == HostName(authority: text))
  }

  @Test(arguments: [
    "", ".", "a..b", ".a", "-a", "a-", "a.-b", "a-.b", "a_b", "bücher", "a b", "a\0", "*.a", "1", "a.1", "1.2.3",
    "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.0004", String(repeating: "a", count: 64),
    [String](repeating: String(repeating: "a", count: 62), count: 4).joined(separator: ".") + ".bc",
  ])
  func others(_ text: String) {
    #expect(!Self.isName(text))
    #expect(HostName(authority: text) == nil)
  }

  @Test func namesInCertificatesMayHaveUnderscores() {
    #expect(Array("a_b.c".utf8).withUnsafeBytes { HostName.isName($0, allowsUnderscore: true) })
  }

  @Test(arguments: ["a:", "a:x", "a:65536", "a:123456", "a:1:2", "[::1]x", "[::1]:65536", "u@a", "a/b", "::1", "[::1"])
  func otherAuthoritiesAreRefused(_ text: String) { #expect(HostName(authority: text) == nil) }

  @Test func textIsNormal() {
    for (authority, text) in [
      ("EXAMPLE.Com.:1", "example.com"), ("10.0.0.1:65535", "10.0.0.1"), ("[2001:DB8:0:0::A]:1", "[2001:db8::a]"),
      ("[::ffff:10.0.0.1]", "[::ffff:a00:1]"),
    ] {
      #expect(HostName(authority: authority)?.text == text)
    }
  }

  @Test(arguments: [
    "[::]", "[1:2:3:4:5:6:7:8]", "[::1:2:3:4:5:6:7]", "[1::]", "[1:2:3:4:5:6:1.2.3.4]", "[::1.2.3.4]",
  ])
  func addressesAreHosts(_ text: String) { #expect(HostName(authority: text) != nil) }

  @Test(arguments: [
    "[]", "[:]", "[:::]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7::8]", "[:1:2:3:4:5:6:7]",
    "[12345::]", "[g::]", "[::1.2.3]", "[1.2.3.4::]", "[1::2::3]", "[", "]", ":", ":1", ".",
  ])
  func othersAreNot(_ text: String) { #expect(HostName(authority: text) == nil) }
}
