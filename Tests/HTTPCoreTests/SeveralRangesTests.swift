import Testing

@testable import HTTPCore

@Suite struct SeveralRangesTests {
  enum Expected: Equatable, Sendable {
    case whole, unsatisfiable
    case one(Range<Int>)
    case parts([Range<Int>])
  }

  static let rows: [(ranges: String, expected: Expected)] = [
    // Apart: each one a part, in the order asked for.
    ("0-1,4-5", .parts([0..<2, 4..<6])),
    ("4-5,0-1", .parts([4..<6, 0..<2])),
    ("0-1, -5", .parts([0..<2, 995..<1000])),
    ("-5,0-1", .parts([995..<1000, 0..<2])),
    ("0-0,-1", .parts([0..<1, 999..<1000])),
    ("0-0,2-2,4-4", .parts([0..<1, 2..<3, 4..<5])),
    ("4-4,2-2,0-0", .parts([4..<5, 2..<3, 0..<1])),
    ("0-1 ,\t4-5", .parts([0..<2, 4..<6])),
    (",0-1,,4-5,", .parts([0..<2, 4..<6])),
    ("0-1,900-", .parts([0..<2, 900..<1000])),
    ("0-1,998-5000", .parts([0..<2, 998..<1000])),
    ("0-1,998-99999999999999999999999", .parts([0..<2, 998..<1000])),
    // Overlapping or touching: joined.
    ("0-1,2-3", .one(0..<4)),
    ("2-3,0-1", .one(0..<4)),
    ("0-5,3-9", .one(0..<10)),
    ("3-9,0-5", .one(0..<10)),
    ("0-9,3-5", .one(0..<10)),
    ("3-5,0-9", .one(0..<10)),
    ("0-9,0-9", .one(0..<10)),
    ("0-,-1", .one(0..<1000)),
    ("-1,0-", .one(0..<1000)),
    ("0-499,500-999", .one(0..<1000)),
    ("500-,-600", .one(400..<1000)),
    ("0-1,4-5,2-3", .one(0..<6)),
    ("4-5,0-1,2-3", .one(0..<6)),
    // Some joined, some apart; a joined one stands where its first member stood.
    ("0-1,4-5,1-2", .parts([0..<3, 4..<6])),
    ("8-9,0-1,4-5,10-11", .parts([8..<12, 0..<2, 4..<6])),
    ("4-5,0-1,5-9,100-", .parts([4..<10, 0..<2, 100..<1000])),
    // What cannot be satisfied is left out; what is malformed makes the field void.
    ("0-1,2000-", .one(0..<2)),
    ("2000-,0-1", .one(0..<2)),
    ("0-1,-0", .one(0..<2)),
    ("0-1,2000-,4-5", .parts([0..<2, 4..<6])),
    ("1000-,2000-", .unsatisfiable),
    ("1000-,-0,1000-1000", .unsatisfiable),
    ("0-1,x", .whole),
    ("0-1,4-5,x", .whole),
    ("0-1,5-4", .whole),
    ("0-1,4-5,", .parts([0..<2, 4..<6])),
    ("0-1;4-5", .whole),
    ("0-1 4-5", .whole),
    ("0-1,bytes=4-5", .whole),
    ("x,0-1,4-5", .whole),
  ]

  private func outcome(_ selection: Selection?) -> Expected? {
    switch selection {
    case .whole: .whole
    case .unsatisfiable: .unsatisfiable
    case .range(let offset, let length): .one(offset..<offset + length)
    case .parts(let body): .parts(body.ranges)
    default: nil
    }
  }

  @Test(arguments: rows) func severalRangesSelect(_ row: (ranges: String, expected: Expected)) {
    #expect(outcome(Sample.select(["Range: bytes=\(row.ranges)"])) == row.expected)
    #expect(Sample.select(["Range: bytes=\(row.ranges)"], method: "HEAD") == .whole)
    #expect(Sample.select(["Range: bytes=\(row.ranges)", "If-Range: \"v2\""]) == .whole)
    #expect(Sample.select(["Range: bytes=\(row.ranges)", "If-None-Match: \"v1\""]) == .notModified)
  }

  private func select(count: Int, limit: Int) -> Selection? {
    let ranges = (0..<count).map { "\($0 * 10)-\($0 * 10)" }.joined(separator: ",")
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=\(ranges)\r\n\r\n".utf8)
    return RequestView.parsing(request, limits: RequestLimits(ranges: limit)) {
      Preconditions.select($0, Sample.representation())
    }
  }

  @Test func moreRangesThanTheLimitAreAnsweredWhole() {
    #expect(outcome(select(count: 16, limit: 16)) == .parts((0..<16).map { $0 * 10..<$0 * 10 + 1 }))
    #expect(select(count: 17, limit: 16) == .whole)
    #expect(select(count: 2, limit: 1) == .whole)
    #expect(select(count: 1, limit: 1) == .range(offset: 0, length: 1))
    #expect(RequestLimits().ranges == 16)
  }

  @Test func nothingIsServedInPartsFromAnEmptyOrEncodedRepresentation() {
    let empty = Sample.representation(length: 0)
    #expect(Sample.select(["Range: bytes=0-1,4-5"], representation: empty) == .unsatisfiable)
    #expect(Sample.select(["Range: bytes=0-1,-5"], representation: empty) == .whole)
    let encoded = Representation(
      bytes: StaticBytes([UInt8](repeating: 1, count: 1000)), contentType: "a/b", cacheControl: "c", encoding: "gzip",
      entityTag: "v1", lastModified: nil, acceptsRanges: true)
    #expect(Sample.select(["Range: bytes=0-1,4-5"], representation: encoded) == .whole)
    #expect(Sample.select(["Range: bytes=0-1,2-5"], representation: encoded) == .range(offset: 0, length: 6))
  }

  @Test func manyRandomRangesJoinAsSetsDo() {
    var generator = SeededGenerator(state: 7)
    for _ in 0..<2000 {
      let ranges = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        let start = Int.random(in: 0..<40, using: &generator)
        return start..<start + Int.random(in: 1...9, using: &generator)
      }
      let merged = ByteRangeSet.merged(ranges)
      #expect(Set(merged.flatMap { Array($0) }) == Set(ranges.flatMap { Array($0) }))
      let sorted = merged.sorted { $0.lowerBound < $1.lowerBound }
      for (left, right) in zip(sorted, sorted.dropFirst()) { #expect(left.upperBound < right.lowerBound) }
    }
  }
}

@Suite struct MultipartBodyTests {
  private let boundary = StaticBytes("B")

  private func representation() -> Representation {
    Representation(
      bytes: StaticBytes("0123456789"), contentType: "text/plain", cacheControl: "no-cache", entityTag: "v1",
      lastModified: nil, acceptsRanges: true)
  }

  private let expected =
    "--B\r\nContent-Type: text/plain\r\nContent-Range: bytes 7-9/10\r\n\r\n789"
    + "\r\n--B\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n--B--\r\n"

  /// The body from `start`, of every segment at most `step` bytes.
  private func read(_ body: MultipartBody, from start: Int, step: Int) -> String {
    let content = Array("0123456789".utf8)
    var bytes: [UInt8] = []
    while let segment = body.segment(at: start + bytes.count) {
      switch segment {
      case .text(let text): bytes += text.prefix(step)
      case .content(let offset, let length): bytes += content[offset..<offset + length].prefix(step)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func theBodyIsWhatTheStandardSays() {
    let body = MultipartBody([7..<10, 0..<2], of: representation(), boundary: boundary)
    #expect(read(body, from: 0, step: .max) == expected)
    #expect(body.length == expected.utf8.count)
  }

  @Test func theBodyCanBeReadFromAnyPositionInPiecesOfAnySize() {
    let body = MultipartBody([7..<10, 0..<2], of: representation(), boundary: boundary)
    for start in 0...expected.utf8.count {
      for step in 1...5 {
        #expect(
          read(body, from: start, step: step) == String(decoding: Array(expected.utf8.dropFirst(start)), as: UTF8.self))
      }
    }
    #expect(read(body, from: -1, step: 1).isEmpty)
    #expect(read(body, from: body.length, step: 1).isEmpty)
  }

  @Test func theBoundaryIsLongAndFitsItsGrammar() {
    #expect(MultipartBody.boundary.count == 42)
    #expect(MultipartBody.boundary.pointer.allSatisfy { Octets.isToken($0) })
  }

  @Test func theHeadNamesTheBoundaryAndTheExactLength() throws {
    let representation = representation()
    let body = MultipartBody([7..<10, 0..<2], of: representation, boundary: boundary)
    let head = ResponseHeadWriterTests().head(.parts(body), representation: representation)
    #expect(
      head
        == "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nCache-Control: no-cache\r\nAccept-Ranges: bytes\r\n"
        + "Content-Type: multipart/byteranges; boundary=B\r\nContent-Length: \(expected.utf8.count)\r\n"
        + "Date: \(ResponseHeadWriterTests.date)\r\n\r\n")
  }
}
