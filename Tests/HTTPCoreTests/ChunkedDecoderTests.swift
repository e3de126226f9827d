import Testing

@testable import HTTPCore

/// Decodes in pieces of `size` bytes: content, bytes consumed, and how it ended.
func dechunk(_ bytes: [UInt8], pieces size: Int) -> String {
  var decoder = ChunkedDecoder()
  var content: [UInt8] = []
  var consumed = 0
  while consumed < bytes.count {
    let piece = Array(bytes[consumed..<min(consumed + size, bytes.count)])
    let progress = piece.withUnsafeBytes { decoder.decode($0) { content += $0 } }
    consumed += progress.consumed
    let text = String(decoding: content, as: UTF8.self)
    if let fault = progress.fault { return "\(text) \(fault.code)" }
    if progress.isComplete { return "\(text) complete \(consumed)" }
    if progress.consumed != piece.count { return "stuck" }
  }
  return "\(String(decoding: content, as: UTF8.self)) more"
}

@Suite struct ChunkedDecoderTests {
  static let rows: [(String, String)] = [
    ("0\r\n\r\n", " complete 5"),
    ("3\r\nabc\r\n0\r\n\r\n", "abc complete 13"),
    ("3\r\nabc\r\n0\r\n\r\nGET /", "abc complete 13"),
    ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789 complete 35"),
    ("003\r\nabc\r\n000\r\n\r\n", "abc complete 17"),
    ("3;x\r\nabc\r\n0;y=\"z\"\r\n\r\n", "abc complete 21"),
    ("3 \t;x\r\nabc\r\n0\r\n\r\n", "abc complete 17"),
    ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n complete 12"),
    ("0\r\nA: b\r\nC:\r\n\r\n", " complete 15"),
    ("3\r\nab", "ab more"),
    ("", " more"),
    ("0\r\n\r", " more"),
    ("\r\n", " MALFORMED_CHUNK"),
    ("g\r\n", " MALFORMED_CHUNK"),
    ("-1\r\n", " MALFORMED_CHUNK"),
    ("+1\r\n", " MALFORMED_CHUNK"),
    ("0x1\r\n", " MALFORMED_CHUNK"),
    (" 1\r\n", " MALFORMED_CHUNK"),
    ("1 \r\na\r\n", " MALFORMED_CHUNK"),
    ("1 x\r\na\r\n0\r\n\r\n", " MALFORMED_CHUNK"),
    ("1\na\n0\n\n", " MALFORMED_CHUNK"),
    ("1\rxa\r\n", " MALFORMED_CHUNK"),
    ("1;\nx\r\na", " MALFORMED_CHUNK"),
    ("1;a\0\r\na", " MALFORMED_CHUNK"),
    ("3\r\nabcd\r\n", "abc MALFORMED_CHUNK"),
    ("3\r\nabc\n0\r\n", "abc MALFORMED_CHUNK"),
    ("3\r\nabc\rx", "abc MALFORMED_CHUNK"),
    ("3\r\nabc0\r\n\r\n", "abc MALFORMED_CHUNK"),
    ("0\r\n\n", " MALFORMED_CHUNK"),
    ("0\r\n\rx", " MALFORMED_CHUNK"),
    ("0\r\nA b: c\r\n\r\n", " MALFORMED_CHUNK"),
    ("0\r\n A: b\r\n\r\n", " MALFORMED_CHUNK"),
    ("0\r\nA\r\n\r\n", " MALFORMED_CHUNK"),
    ("0\r\nA: b\n\r\n", " MALFORMED_CHUNK"),
    ("0\r\n: b\r\n\r\n", " MALFORMED_CHUNK"),
    ("8000000000000000\r\n", " CHUNK_TOO_LARGE"),
    ("ffffffffffffffff\r\n", " CHUNK_TOO_LARGE"),
    ("10000000000000000\r\n", " CHUNK_TOO_LARGE"),
    ("00000000000000001\r\n", " CHUNK_TOO_LARGE"),
    ("7fffffffffffffff\r\nab", "ab more"),
    ("1;" + String(repeating: "x", count: 20000), " CHUNK_OVERHEAD"),
    (String(repeating: "1;xxxxxxxxx\r\na\r\n", count: 1700), String(repeating: "a", count: 1638) + " CHUNK_OVERHEAD"),
    ("0\r\n" + String(repeating: "A: b\r\n", count: 1400), " CHUNK_OVERHEAD"),
  ]

  @Test(arguments: rows) func decodes(_ row: (String, String)) {
    let bytes = Array(row.0.utf8)
    #expect(dechunk(bytes, pieces: max(bytes.count, 1)) == row.1)
    for size in [1, 2, 3, 7] { #expect(dechunk(bytes, pieces: size) == row.1, "in pieces of \(size)") }
  }

  @Test func aFaultStaysAndTheEndStays() {
    var decoder = ChunkedDecoder()
    _ = Array("x".utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
    let again = Array("0\r\n\r\n".utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
    #expect(again.fault?.status == 400 && again.consumed == 0)
    decoder = ChunkedDecoder()
    _ = Array("0\r\n\r\n".utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
    let after = Array("abc".utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
    #expect(after.isComplete && after.consumed == 0)
  }
}
