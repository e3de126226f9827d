import Glibc
import Testing
import Values

@Suite struct IPAddressTextTests {
  private static func ipv4(_ text: String) -> UInt32? { Array(text.utf8).withUnsafeBytes(IPAddressText.ipv4) }
  private static func ipv6(_ text: String) -> UInt128? { Array(text.utf8).withUnsafeBytes(IPAddressText.ipv6) }

  static let texts = [
    "", ":", "::", ":::", "::1", "1::", "1::8", ":1", "1:", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "1::2::3", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
    ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "12345::", "g::", "::ffff", "::FFFF:1", "::1.2.3.4", "::ffff:1.2.3.4",
    "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", "::1.2.3", "::1.2.3.4:5", "::1.2.3.04", "fe80::1%lo",
    "[::1]", " ::1", "::1 ", "1.2.3.4", "0.0.0.0", "255.255.255.255", "256.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.4.",
    ".1.2.3", "1..2.3", "01.2.3.4", "1.2.3.00", "1.2.3.0004", "+1.2.3.4", "1.2.3.a", "0x1.2.3.4", "::00001", "::0001",
    "2001:db8:0:0:1:0:0:1", "2001:0:0:1:0:0:0:1", "1:0:0:2:3:0:0:4", "1:2:3:0:5:6:7:8",
  ]

  @Test(arguments: texts) func theKernelsLibraryReadsTheSame(_ text: String) {
    var four = in_addr()
    let isFour = inet_pton(AF_INET, text, &four) == 1
    #expect(Self.ipv4(text) == (isFour ? UInt32(bigEndian: four.s_addr) : nil))
    var six = in6_addr()
    let isSix = inet_pton(AF_INET6, text, &six) == 1
    let number = withUnsafeBytes(of: &six) { $0.reduce(UInt128(0)) { $0 << 8 | UInt128($1) } }
    #expect(Self.ipv6(text) == (isSix ? number : nil))
  }

  @Test(arguments: [
    ("0:0:0:0:0:0:0:0", "::"), ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8:0:0:1:0:0:0", "2001:db8:0:0:1::"),
    ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:0:5:6:7:8", "1:2:3:0:5:6:7:8"), ("1::0", "1::"),
    ("::ffff:1.2.3.4", "::ffff:102:304"),
  ])
  func oneSpelling(_ text: String, _ normal: String) throws {
    #expect(IPAddressText.text(ipv6: try #require(Self.ipv6(text))) == normal)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    for address in [0, 1, 0x7f00_0001, 0xffff_ffff] as [UInt32] {
      #expect(Self.ipv4(IPAddressText.text(ipv4: address)) == address)
    }
    let many: [UInt128] = [0, 1, .max, 0x8000_0000_0000_0000_0000_0000_0000_0000, 0xffff_0000_0000, 0x2001_0db8_0001]
    for address in many {
      #expect(Self.ipv6(IPAddressText.text(ipv6: address)) == address)
    }
  }
}
