import Testing

@testable import HTTPCore

enum Sample {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  static let modified: Int64 = 784_111_777

  static func representation(
    length: Int = 1000, lastModified: Int64? = modified, acceptsRanges: Bool = true
  ) -> Representation {
    Representation(
      bytes: StaticBytes([UInt8](repeating: 0x61, count: length)), contentType: "application/octet-stream",
      cacheControl: "no-cache", entityTag: "v1", lastModified: lastModified, acceptsRanges: acceptsRanges)
  }

  static func select(
    _ fields: [String], method: String = "GET", representation: Representation = representation()
  ) -> Selection? {
    let lines = fields.map { $0 + "\r\n" }.joined()
    return RequestView.parsing(Array("\(method) / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8)) {
      Preconditions.select($0, representation)
    }
  }
}

@Suite struct RangeTests {
  static let rows: [(range: String, length: Int, expected: Selection)] = [
    ("bytes=0-0", 1000, .range(offset: 0, length: 1)),
    ("bytes=0-499", 1000, .range(offset: 0, length: 500)),
    ("bytes=500-999", 1000, .range(offset: 500, length: 500)),
    ("bytes=500-", 1000, .range(offset: 500, length: 500)),
    ("bytes=0-", 1000, .range(offset: 0, length: 1000)),
    ("bytes=999-", 1000, .range(offset: 999, length: 1)),
    ("bytes=999-999", 1000, .range(offset: 999, length: 1)),
    ("bytes=0-999", 1000, .range(offset: 0, length: 1000)),
    ("bytes=0-1000", 1000, .range(offset: 0, length: 1000)),
    ("bytes=990-5000", 1000, .range(offset: 990, length: 10)),
    ("bytes=0-99999999999999999999999", 1000, .range(offset: 0, length: 1000)),
    ("bytes=0-9223372036854775807", 1000, .range(offset: 0, length: 1000)),
    ("bytes=1000-", 1000, .unsatisfiable),
    ("bytes=1000-1000", 1000, .unsatisfiable),
    ("bytes=99999999999999999999999-", 1000, .unsatisfiable),
    ("bytes=9223372036854775807-9223372036854775807", 1000, .unsatisfiable),
    ("bytes=-1", 1000, .range(offset: 999, length: 1)),
    ("bytes=-500", 1000, .range(offset: 500, length: 500)),
    ("bytes=-1000", 1000, .range(offset: 0, length: 1000)),
    ("bytes=-1001", 1000, .range(offset: 0, length: 1000)),
    ("bytes=-99999999999999999999999", 1000, .range(offset: 0, length: 1000)),
    ("bytes=-0", 1000, .unsatisfiable),
    ("bytes=-", 1000, .whole),
    ("bytes=", 1000, .whole),
    ("bytes", 1000, .whole),
    ("bytes=1", 1000, .whole),
    ("bytes=5-4", 1000, .whole),
    ("bytes=2000-1000", 1000, .whole),
    ("bytes=a-4", 1000, .whole),
    ("bytes=0-b", 1000, .whole),
    ("bytes=0x0-1", 1000, .whole),
    ("bytes=+0-1", 1000, .whole),
    ("bytes=--1", 1000, .whole),
    ("bytes=0--1", 1000, .whole),
    ("bytes=0-1-2", 1000, .whole),
    ("bytes=0 -1", 1000, .whole),
    ("bytes=0- 1", 1000, .whole),
    ("bytes 0-1", 1000, .whole),
    ("bytes =0-1", 1000, .whole),
    ("Bytes=0-1", 1000, .range(offset: 0, length: 2)),
    ("bytes= 0-1", 1000, .range(offset: 0, length: 2)),
    ("bytes=,0-1,", 1000, .range(offset: 0, length: 2)),
    ("bytes=,", 1000, .whole),
    ("items=0-1", 1000, .whole),
    ("lines=1-2", 1000, .whole),
    ("bytes=1000-,2000-", 1000, .unsatisfiable),
    ("bytes=0-1,x", 1000, .whole),
    ("bytes=2000-,x", 1000, .whole),
    ("bytes=0-", 0, .unsatisfiable),
    ("bytes=0-0", 0, .unsatisfiable),
    ("bytes=-1", 0, .whole),
    ("bytes=-0", 0, .unsatisfiable),
    ("bytes=0-", 1, .range(offset: 0, length: 1)),
    ("bytes=-5", 1, .range(offset: 0, length: 1)),
  ]

  @Test(arguments: rows) func rangeSelects(_ row: (range: String, length: Int, expected: Selection)) {
    let representation = Sample.representation(length: row.length)
    #expect(Sample.select(["Range: \(row.range)"], representation: representation) == row.expected)
    #expect(Sample.select(["Range: \(row.range)"], method: "HEAD", representation: representation) == .whole)
  }

  @Test func rangeIsIgnoredWhereItDoesNotApply() {
    #expect(Sample.select(["Range: bytes=0-1"], representation: Sample.representation(acceptsRanges: false)) == .whole)
    #expect(Sample.select(["Range: bytes=0-1"], method: "POST") == .whole)
    #expect(Sample.select(["Range: bytes=0-1", "Range: bytes=2-3"]) == .whole)
    #expect(Sample.select([]) == .whole)
  }
}

@Suite struct PreconditionTests {
  static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
  static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
  static let part = Selection.range(offset: 0, length: 2)

  static let rows: [([String], Selection)] = [
    // If-Match compares strongly.
    (["If-Match: \"v1\""], .whole),
    (["If-Match: \"v2\""], .preconditionFailed),
    (["If-Match: W/\"v1\""], .preconditionFailed),
    (["If-Match: *"], .whole),
    (["If-Match: \"v2\", \"v1\""], .whole),
    (["If-Match: \"v2\"", "If-Match: \"v1\""], .whole),
    (["If-Match: \"v2\"", "If-Match: \"v3\""], .preconditionFailed),
    (["If-Match: v1"], .preconditionFailed),
    (["If-Match: \"v1"], .preconditionFailed),
    (["If-Match:"], .preconditionFailed),
    (["If-Match: \"\""], .preconditionFailed),
    (["If-Match: \"v2\", *"], .preconditionFailed),
    // If-Unmodified-Since, only without If-Match.
    (["If-Unmodified-Since: \(same)"], .whole),
    (["If-Unmodified-Since: \(later)"], .whole),
    (["If-Unmodified-Since: \(earlier)"], .preconditionFailed),
    (["If-Unmodified-Since: yesterday"], .whole),
    (["If-Unmodified-Since: \(earlier)", "If-Unmodified-Since: \(earlier)"], .whole),
    (["If-Match: \"v1\"", "If-Unmodified-Since: \(earlier)"], .whole),
    (["If-Match: \"v2\"", "If-Unmodified-Since: \(later)"], .preconditionFailed),
    // If-None-Match compares weakly.
    (["If-None-Match: \"v1\""], .notModified),
    (["If-None-Match: W/\"v1\""], .notModified),
    (["If-None-Match: w/\"v1\""], .whole),
    (["If-None-Match: \"v2\""], .whole),
    (["If-None-Match: \"V1\""], .whole),
    (["If-None-Match: *"], .notModified),
    (["If-None-Match: \"v2\" , W/\"v1\""], .notModified),
    (["If-None-Match: \"v2\",,\"v1\","], .notModified),
    (["If-None-Match: \"a,b\", \"v1\""], .notModified),
    (["If-None-Match: \"a, \"v1\""], .whole),
    (["If-None-Match: \"v2\" \"v1\""], .whole),
    (["If-None-Match: v1"], .whole),
    (["If-None-Match: \"v2\"", "If-None-Match: \"v1\""], .notModified),
    (["If-None-Match: \"v2\"", "If-None-Match: *"], .whole),
    // If-Modified-Since, only without If-None-Match.
    (["If-Modified-Since: \(same)"], .notModified),
    (["If-Modified-Since: \(later)"], .notModified),
    (["If-Modified-Since: \(earlier)"], .whole),
    (["If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"], .notModified),
    (["If-Modified-Since: Sun Nov  6 08:49:37 1994"], .notModified),
    (["If-Modified-Since: 784111777"], .whole),
    (["If-None-Match: \"v2\"", "If-Modified-Since: \(later)"], .whole),
    (["If-None-Match: \"v1\"", "If-Modified-Since: \(earlier)"], .notModified),
    // The order of all.
    (["If-Match: \"v2\"", "If-None-Match: \"v1\""], .preconditionFailed),
    (["If-Match: \"v1\"", "If-None-Match: \"v1\""], .notModified),
    (["If-Unmodified-Since: \(earlier)", "If-None-Match: \"v1\""], .preconditionFailed),
    (["If-Unmodified-Since: \(same)", "If-Modified-Since: \(same)"], .notModified),
    (["If-None-Match: \"v1\"", "Range: bytes=0-1"], .notModified),
    (["If-None-Match: \"v2\"", "Range: bytes=0-1"], part),
    (["If-Match: \"v2\"", "Range: bytes=0-1"], .preconditionFailed),
    (["If-Match: \"v1\"", "Range: bytes=0-1"], part),
    (["If-Modified-Since: \(same)", "Range: bytes=2000-"], .notModified),
    // If-Range.
    (["Range: bytes=0-1", "If-Range: \"v1\""], part),
    (["Range: bytes=0-1", "If-Range: \"v2\""], .whole),
    (["Range: bytes=0-1", "If-Range: W/\"v1\""], .whole),
    (["Range: bytes=0-1", "If-Range: v1"], .whole),
    (["Range: bytes=0-1", "If-Range: \"v1\", \"v2\""], .whole),
    (["Range: bytes=0-1", "If-Range: *"], .whole),
    (["Range: bytes=0-1", "If-Range:"], .whole),
    (["Range: bytes=0-1", "If-Range: \(same)"], part),
    (["Range: bytes=0-1", "If-Range: \(later)"], .whole),
    (["Range: bytes=0-1", "If-Range: \(earlier)"], .whole),
    (["Range: bytes=0-1", "If-Range: \"v1\"", "If-Range: \"v1\""], .whole),
    (["Range: bytes=2000-", "If-Range: \"v1\""], .unsatisfiable),
    (["Range: bytes=2000-", "If-Range: \"v2\""], .whole),
    (["If-Range: \"v2\""], .whole),
  ]

  @Test(arguments: rows) func conditionsSelect(_ row: ([String], Selection)) {
    #expect(Sample.select(row.0) == row.1)
    // HEAD is answered like GET, but without ranges.
    let forHead: Selection? =
      switch row.1 {
      case .range, .unsatisfiable: .whole
      default: row.1
      }
    #expect(Sample.select(row.0, method: "HEAD") == forHead)
  }

  @Test func methodsThatChangeAreRefusedInsteadOfNotModified() {
    #expect(Sample.select(["If-None-Match: *"], method: "PUT") == .preconditionFailed)
    #expect(Sample.select(["If-Modified-Since: \(Self.same)"], method: "PUT") == .whole)
    #expect(Sample.select(["If-Match: \"v2\""], method: "DELETE") == .preconditionFailed)
    #expect(Sample.select(["If-Match: \"v2\""], method: "OPTIONS") == .whole)
  }

  @Test func datesMeanNothingWithoutLastModified() {
    let undated = Sample.representation(lastModified: nil)
    #expect(Sample.select(["If-Modified-Since: \(Self.later)"], representation: undated) == .whole)
    #expect(Sample.select(["If-Unmodified-Since: \(Self.earlier)"], representation: undated) == .whole)
    #expect(Sample.select(["Range: bytes=0-1", "If-Range: \(Self.same)"], representation: undated) == .whole)
  }
}
