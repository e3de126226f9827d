import Configuration
import Testing
import Values

struct QuantityTests {
  @Test(arguments: [
    ("256 MiB", 256 << 20), ("4 GB", 4_000_000_000), ("4GB", 4_000_000_000), ("0 B", 0), ("1 tib", 1 << 40),
    ("8 kb", 8000), ("9223372036854775807 B", Int.max),
  ])
  func sizes(_ text: String, _ bytes: Int) { #expect(ByteCount(text)?.bytes == bytes) }

  @Test(arguments: [
    "", "4", "GB", "-1 GB", "+1 GB", "1.5 GB", "4  GB", "4 GB ", " 4 GB", "4 G", "9223372036854775807 KB", "１ GB",
    "99999999999999999999 B",
  ])
  func otherSizesAreRefused(_ text: String) { #expect(ByteCount(text) == nil) }

  @Test(arguments: [("250 ms", 250), ("30 s", 30_000), ("5 min", 300_000), ("2 h", 7_200_000), ("1d", 86_400_000)])
  func times(_ text: String, _ milliseconds: Int) { #expect(TimeSpan(text)?.milliseconds == milliseconds) }

  @Test(arguments: ["", "30", "s", "1.5 s", "-1 s", "5 m", "5 minutes", "9223372036854775807 s"])
  func otherTimesAreRefused(_ text: String) { #expect(TimeSpan(text) == nil) }

  @Test(arguments: [
    (8_000_000_000, "8 GB"), (16384, "16 KiB"), (0, "0 B"), (1001, "1001 B"), (1 << 30, "1 GiB"), (1500, "1500 B"),
  ])
  func sizesInWords(_ bytes: Int, _ text: String) {
    #expect(ByteCount(bytes: bytes).description == text)
    #expect(ByteCount(text)?.bytes == bytes)
  }

  @Test func timesInWords() {
    #expect(TimeSpan(milliseconds: 90_000).description == "90 s")
    #expect(TimeSpan(milliseconds: 300_000).description == "5 min")
    #expect(TimeSpan(milliseconds: 0).description == "0 ms")
  }

  @Test(arguments: ["127.0.0.1:8443", "[::1]:0", "*:443", "[fe80::1]:65535", "0.0.0.0:1"])
  func addresses(_ text: String) { #expect(SocketAddress(text)?.description == text) }

  @Test(arguments: [
    "", ":", ":443", "443", "*", "*:", "*:65536", "*:-1", "*:+1", "localhost:1", "1.2.3:1", "1.2.3.4.5:1",
    "1.2.3.256:1",
    "01.2.3.4:1", "::1:443", "[::1]", "[1]:1", "[::g]:1", "[::1:1", "1.2.3.4", "１.2.3.4:1", "*:１",
  ])
  func otherAddressesAreRefused(_ text: String) { #expect(SocketAddress(text) == nil) }
}
