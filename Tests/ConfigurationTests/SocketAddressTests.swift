import Configuration
import Testing

struct SocketAddressTests {
  @Test(arguments: ["127.0.0.1:8443", "[::1]:0", "*:443", "[fe80::1]:65535", "0.0.0.0:1"])
  func addresses(_ text: String) { #expect(SocketAddress(text)?.description == text) }

  @Test(arguments: [
    "", ":", ":443", "443", "*", "*:", "*:65536", "*:-1", "*:+1", "localhost:1", "1.2.3:1", "1.2.3.4.5:1",
    "1.2.3.256:1",
    "01.2.3.4:1", "::1:443", "[::1]", "[1]:1", "[::g]:1", "[::1:1", "1.2.3.4", "１.2.3.4:1", "*:１",
  ])
  func otherAddressesAreRefused(_ text: String) { #expect(SocketAddress(text) == nil) }
}
