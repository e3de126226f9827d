import Testing

@testable import EventLoop

@Suite struct AddressRangeTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/8", "9.255.255.255", false),
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("::/0", "203.0.113.9", true), ("::/0", "2001:db8::1", true),
    ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.128", true),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
    ("2001:db8::/64", "2001:db8::ffff:0:0:1", true), ("2001:db8::/64", "2001:db8:0:1::", false),
    ("::1", "::1", true), ("::1/128", "::2", false),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
  ])
  func aRangeContainsWhatSharesItsPrefix(range: String, address: String, isInside: Bool) throws {
    let range = try #require(AddressRange(range))
    #expect(range.contains(try #require(IPAddress(address))) == isInside)
    #expect([range].contains(try #require(IPAddress(address))) == isInside)
  }

  @Test(arguments: [
    "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
    "10.0.0.1/8",
    "10.0.0/8", "010.0.0.0/8", "2001:db8::/129", "2001:db8::1/64", "[::1]", "::1%lo", "localhost", "10.0.0.0/8 ",
    "1.2.3.4.5", "10.0.0.0\u{0}/8", "::ffff:10.0.0.0/8", "10.0.0.0/99999999999999999999",
  ])
  func whatIsNoRangeIsRefused(text: String) {
    #expect(AddressRange(text) == nil)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"),
  ])
  func anAddressHasOneSpelling(text: String, spelling: String) {
    #expect(IPAddress(text)?.text == spelling)
  }

  @Test func aLimitCountsIPv6ByItsNetwork() {
    #expect(IPAddress("192.0.2.7")?.limitKey == "192.0.2.7")
    #expect(IPAddress("::ffff:192.0.2.7")?.limitKey == "192.0.2.7")
    #expect(IPAddress("2001:db8:1:2:3:4:5:6")?.limitKey == "2001:db8:1:2::/64")
    #expect(IPAddress("2001:db8:1:2::1")?.limitKey == "2001:db8:1:2::/64")
    #expect(IPAddress("::1")?.limitKey == "::/64")
  }
}
