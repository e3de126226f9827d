import Testing

@testable import HTTPCore

@Suite struct RequestFuzzTests {
  @Test func mutatedRequestsNeverTrapAndSlicesStayInside() {
    var random = SeededGenerator(state: 1)
    let seeds = (Accepted.rows.map(\.request) + Refused.fields.prefix(50).map(\.request)).map { Array($0.utf8) }
    let tokens = ["\r\n", "\r", "\n", " ", ":", "\0", "%", "?", "http://", "Host: ", "chunked", ",", "\t", "[", "é"]
      .map { Array($0.utf8) }
    for _ in 0..<4000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 1: if index < bytes.count { bytes.remove(at: index) }
        case 2: bytes.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &random)], at: index)
        default: if index < bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        }
      }
      let whole = parse(bytes)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      #expect(parse(bytes, ends: [cut]) == whole)
      guard let head = whole.head else { continue }
      for slice in [head.methodName, head.path, head.query, head.authority] where !slice.isAbsent {
        #expect(slice.offset >= 0 && Int(slice.offset + slice.count) <= head.headLength)
      }
      let representation = Sample.representation()
      _ = RequestView.parsing(bytes) { view in
        _ = Preconditions.select(view, representation)
        _ = OwnedRequest(view, body: [], remoteAddress: "").decodedPathSegments
      }
    }
  }

  @Test func randomBytesNeverTrap() {
    var random = SeededGenerator(state: 2)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = parse(bytes)
      bytes.withUnsafeBytes { buffer in
        _ = HTTPDate.parse(buffer)
        _ = PercentCoding.hasDotSegments(buffer)
        _ = ByteRangeSet.select(buffer, of: Sample.representation(), limit: 16)
        var decoder = ChunkedDecoder()
        _ = decoder.decode(buffer) { _ in }
        var parser = ResponseParser()
        _ = parser.parse(buffer)
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { _ = Authority.normaliseHost(buffer, into: $0) }
      }
    }
  }
}
