import Testing

@testable import Delivery

@Suite struct AcceptEncodingTests {
  @Test(arguments: [
    ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=0.5", true), ("gzip ; q=1.0", true),
    ("*", true), ("br, *;q=0.1", true), ("", false), ("identity", false), ("gzip;q=0", false),
    ("gzip; q=0.000", false), ("*;q=0", false), ("*, gzip;q=0", false), ("gzipp", false), ("gzi", false),
    ("deflate,br", false), (",,gzip", true), ("gzip;level=9", true), (" \tgzip\t", true),
  ])
  func gzipIsAllowedWhereTheFieldSaysSo(field: String, allowed: Bool) {
    let bytes = Array(field.utf8)
    #expect(bytes.withUnsafeBytes { AcceptEncoding.allowsGzip($0) } == allowed)
  }

  @Test func compressedBytesAreTheSameEachTime() throws {
    let bytes = Array(String(repeating: "asset packs ", count: 500).utf8)
    let first = try #require(Gzip.compress(bytes))
    #expect(first == Gzip.compress(bytes))
    #expect(first.count < bytes.count / 10)
    #expect(first.prefix(3) == [0x1f, 0x8b, 8])
  }
}
