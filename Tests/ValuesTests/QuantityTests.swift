import Testing
import Values

@Suite struct QuantityTests {
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

  /// What people type may lack the unit, and `m` stands for minutes; spaces count as in files.
  @Test func typedQuantities() {
    for (text, bytes) in [("10485760", 10_485_760), ("50GB", 50_000_000_000), ("16 MiB", 16 << 20), ("0", 0)] {
      #expect(ByteCount(typed: text)?.bytes == bytes)
    }
    for text in ["", "4  GB", "4 ", " 4", "4 G", "GB", "-1", "99999999999999999999"] {
      #expect(ByteCount(typed: text) == nil)
    }
    for (text, milliseconds) in [
      ("24h", 86_400_000), ("30min", 1_800_000), ("30m", 1_800_000), ("0s", 0), ("1 d", 86_400_000),
    ] {
      #expect(TimeSpan(typed: text)?.milliseconds == milliseconds)
    }
    for text in ["", "30", "5  min", "5 minutes", "-1s"] { #expect(TimeSpan(typed: text) == nil) }
  }

  @Test(arguments: [
    (0, "0 B"), (9999, "9999 B"), (10_000, "10.0 KB"), (999_949, "999.9 KB"), (999_950, "1.0 MB"),
    (1_500_000_000, "1.5 GB"), (Int.max, "9.2 EB"),
  ])
  func roundedSizes(_ bytes: Int, _ text: String) { #expect(ByteCount(bytes: bytes).rounded == text) }
}
