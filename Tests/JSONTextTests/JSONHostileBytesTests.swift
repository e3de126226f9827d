import JSONText
import Testing

/// The parser takes any bytes: what it accepts it can write and read again, and nothing traps.
struct JSONHostileBytesTests {
  /// SplitMix64, so that a failure can be repeated.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private func check(_ bytes: [UInt8]) throws {
    for dialect in [JSONDialect.strict, .relaxed] {
      do {
        let document = try JSONParser.parse(bytes, dialect: dialect)
        let again = try JSONParser.parse(document.root.serialize(.pretty))
        #expect(again.root == document.root)
      } catch {
        #expect(error.line >= 1 && error.column >= 1 && !error.sentence.isEmpty)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomBytes(seed: UInt64) throws {
    var generator = Generator(state: seed)
    for _ in 0..<5_000 {
      try check(
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func randomTokens(seed: UInt64) throws {
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\\u", "d83d", "\\ude00", "0", "1", "-", "+", ".", "e", "0x",
      "true",
      "null", "//", "/*", "*/", "\n", "\r", " ", "é", "😀", "\"a\"", "a", "\u{0}", "\u{FEFF}",
    ].map { Array($0.utf8) }
    var generator = Generator(state: seed)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...16, using: &generator)
      try check((0..<count).flatMap { _ in tokens.randomElement(using: &generator) ?? [] })
    }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func damagedDocuments(seed: UInt64) throws {
    let text = #"{"a":[1,-2.5e3,"\u00e9\ud83d\ude00",true,null],"b":{"c":"é"},/*x*/'d':0x1F,}"#
    var generator = Generator(state: seed)
    for _ in 0..<5_000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes = Array(bytes[..<place])
        }
        if bytes.isEmpty { break }
      }
      try check(bytes)
    }
  }

  @Test func manyMembersAreNotQuadratic() throws {
    let text = "{" + (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    let document = try JSONParser.parse(text)
    #expect(document.root["k99999"]?.int == 99_999)
    #expect(document.position(of: ["k99999"])?.line == 1)
  }
}
