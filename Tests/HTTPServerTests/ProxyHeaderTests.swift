import EventLoop
import HTTPCore
import Testing
import TestSupport

@testable import HTTPServer

/// A PROXY header of version 2.
func proxyHeader(command: UInt8 = 0x21, family: UInt8 = 0x11, _ addresses: [UInt8], extensions: [UInt8] = []) -> [UInt8]
{
  let count = addresses.count + extensions.count
  return [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, command, family]
    + [UInt8(count >> 8 & 0xff), UInt8(count & 0xff)] + addresses + extensions
}

@Suite(.waits) struct ProxyHeaderTests {
  private static let v4: [UInt8] = [192, 0, 2, 7, 198, 51, 100, 1, 0x12, 0x34, 1, 187]
  private static let v6: [UInt8] =
    [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [7]
    + [UInt8](repeating: 0, count: 20)

  private func parse(_ bytes: [UInt8]) -> ProxyHeader.Outcome { bytes.withUnsafeBytes { ProxyHeader.parse($0) } }

  @Test(arguments: [
    (proxyHeader(v4), "192.0.2.7"), (proxyHeader(v4, extensions: [4, 0, 1, 9]), "192.0.2.7"),
    (proxyHeader(family: 0x21, v6), "2001:db8::7"), (proxyHeader(command: 0x20, v4), nil),
    (proxyHeader(command: 0x20, family: 0, []), nil), (proxyHeader(family: 0, []), nil),
    (proxyHeader(family: 0x31, [UInt8](repeating: 1, count: 216)), nil),
  ])
  func aWholeHeaderSaysForWhom(bytes: [UInt8], source: String?) {
    let expected = ProxyHeader.Outcome.complete(length: bytes.count, source: source.flatMap { IPAddress($0) })
    #expect(parse(bytes) == expected)
    #expect(parse(bytes + [0x16, 3, 1]) == expected)
    for count in 0..<bytes.count { #expect(parse(Array(bytes.prefix(count))) == .needMore) }
  }

  @Test(arguments: [
    Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x16, 0x03, 0x01], Array("PROXY TCP4 192.0.2.7 198.51.100.1 1 2\r\n".utf8),
    proxyHeader(command: 0x11, v4), proxyHeader(command: 0x22, v4), proxyHeader(family: 0x12, v4),
    proxyHeader(family: 0x41, v4), proxyHeader(Array(v4.dropLast())), proxyHeader(family: 0x21, v4),
    proxyHeader(v4, extensions: [UInt8](repeating: 0, count: 4000)), proxyHeader([]),
    [0x0D, 0x0A, 0x0D, 0x0A, 0x01],
  ])
  func anythingElseIsRefused(bytes: [UInt8]) {
    #expect(parse(bytes) == .malformed)
  }

  @Test(arguments: [
    (["192.0.2.7"], "192.0.2.7"), (["6.6.6.6, 192.0.2.7"], "192.0.2.7"), (["6.6.6.6,192.0.2.7,10.0.0.9"], "192.0.2.7"),
    (["6.6.6.6", "192.0.2.7", "10.0.0.1, 10.0.0.2"], "192.0.2.7"), ([" \t192.0.2.7 "], "192.0.2.7"),
    (["192.0.2.7:4711"], "192.0.2.7"), (["[2001:db8::7]:4711"], "2001:db8::7"), (["[2001:db8::7]"], "2001:db8::7"),
    (["2001:db8::7"], "2001:db8::7"), (["10.0.0.1"], nil), ([""], nil), ([], nil), (["unknown"], nil),
    (["192.0.2.7, unknown"], nil), (["192.0.2.7, "], nil), (["192.0.2.7:x"], nil), (["[2001:db8::7"], nil),
    (["[2001:db8::7]x"], nil), (["192.0.2.7"] + [String](repeating: "10.0.0.1", count: 40), nil),
    ([String(repeating: "1", count: 5000)], nil), (["\u{0}"], nil), (["::ffff:192.0.2.7"], "192.0.2.7"),
  ])
  func onlyWhatTrustedProxiesHaveWrittenIsBelieved(fields: [String], client: String?) throws {
    let trusted = [try #require(AddressRange("10.0.0.0/8"))]
    #expect(ForwardedFor.client(fields.map { Array($0.utf8) }, trusted: trusted)?.text == client)
  }
}
