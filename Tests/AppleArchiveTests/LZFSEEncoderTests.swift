import Digests
import Testing

@testable import AppleArchive

@Suite struct LZFSEEncoderTests {
  /// The payload, written into a room of the documented size with a canary behind it.
  static func encode(_ data: [UInt8], _ encoder: inout LZFSEEncoder) throws -> [UInt8] {
    let room = LZFSEEncoder.maximumByteCount(data.count)
    var output = [UInt8](repeating: 0xa5, count: room + 64)
    let count = output.withUnsafeMutableBytes { all in
      data.withUnsafeBytes { encoder.encode($0, into: UnsafeMutableRawBufferPointer(rebasing: all[..<room])) }
    }
    #expect(output[room...].allSatisfy { $0 == 0xa5 })
    return Array(output[..<(try #require(count))])
  }

  static func encode(_ data: [UInt8]) throws -> [UInt8] {
    var encoder = LZFSEEncoder()
    return try encode(data, &encoder)
  }

  /// Whether it comes back.
  static func returns(_ data: [UInt8], _ encoder: inout LZFSEEncoder) throws -> Bool {
    let payload = try encode(data, &encoder)
    return try LZFSETests.decode(payload, data.count) == data
  }

  #if DEBUG
    private static let scale = 1
  #else
    private static let scale = 8
  #endif

  @Test func everySmallSizeComesBack() throws {
    var encoder = LZFSEEncoder()
    for size in 0...600 {
      for (index, kind) in SeededData.allCases.enumerated() where Self.scale > 1 || (size + index) % 5 == 0 {
        #expect(try Self.returns(kind.bytes(size, seed: UInt64(size)), &encoder), "\(kind) \(size)")
      }
    }
  }

  @Test(arguments: SeededData.allCases) func dataOfEachKindComeBack(_ kind: SeededData) throws {
    var encoder = LZFSEEncoder()
    for size in [4095, 4096, 4097, 40_001, 65_537, 200_000 * Self.scale] {
      let data = kind.bytes(size, seed: UInt64(size))
      #expect(try Self.returns(data, &encoder), "\(size)")
    }
  }

  @Test func randomSizesComeBack() throws {
    var generator = SeededGenerator(state: 11)
    var encoder = LZFSEEncoder()
    for _ in 0..<25 * Self.scale {
      let size = Int.random(in: 0...1 << Int.random(in: 4...15, using: &generator), using: &generator)
      let seed = generator.next()
      #expect(try Self.returns(SeededData.mixture.bytes(size, seed: seed), &encoder), "\(size) \(seed)")
    }
  }

  /// The limits of one step: 315 literals, 2359 bytes of a match; and of one block: 40,000 literals, 10,000 steps.
  @Test func lengthsAtTheFormatsLimitsComeBack() throws {
    var encoder = LZFSEEncoder()
    for literals in [0, 1, 3, 4, 15, 16, 60, 314, 315, 316, 630, 631] {
      for match in [4, 15, 16, 24, 311, 312, 2358, 2359, 2360, 4718, 4719] {
        let seed = SeededData.noise.bytes(5000, seed: 1)
        let fresh = SeededData.noise.bytes(literals, seed: 2)
        #expect(try Self.returns(seed + fresh + seed.prefix(match) + [1, 2, 3], &encoder), "\(literals) \(match)")
      }
    }
    // Bytes of which each is a literal, but which a code still shortens.
    for count in [39_999, 40_000, 40_001, 80_000] {
      let data = SeededData.noise.bytes(count, seed: 3).map { $0 & 0x1f }
      #expect(try Self.returns(data, &encoder), "\(count)")
    }
    // Far more than 10,000 steps.
    let words = SeededData.noise.bytes(64 * 4, seed: 4)
    var generator = SeededGenerator(state: 5)
    var data: [UInt8] = []
    for _ in 0..<25_000 {
      let word = Int.random(in: 0..<64, using: &generator)
      data += words[word * 4..<word * 4 + 4] + [UInt8.random(in: 0...255, using: &generator)]
    }
    #expect(try Self.returns(data, &encoder))
  }

  @Test func distancesAtTheFormatsLimitComeBack() throws {
    var encoder = LZFSEEncoder()
    let pattern = SeededData.noise.bytes(64, seed: 6)
    for distance in [262_138, 262_139, 262_140, 262_144] {
      let between = [UInt8](repeating: 7, count: distance - pattern.count)
      #expect(try Self.returns(pattern + between + pattern + [0], &encoder), "\(distance)")
    }
  }

  @Test func theSameDataGiveTheSamePayload() throws {
    var used = LZFSEEncoder()
    for kind in SeededData.allCases {
      let data = kind.bytes(50_000, seed: 8)
      let first = try Self.encode(data)
      #expect(try Self.encode(data, &used) == first)
      #expect(try Self.encode(data, &used) == first)
    }
  }

  /// A change of these bytes is a change of every archive that is packed anew; it must not happen unnoticed.
  @Test func payloadsAreTheOnesOfEarlierVersions() throws {
    var all: [UInt8] = []
    for kind in SeededData.allCases { all += try Self.encode(kind.bytes(60_000, seed: 9)) }
    for size in [40, 400, 4000] { all += try Self.encode(SeededData.words.bytes(size, seed: 10)) }
    #expect(Digest.sha256Text(all) == "390466d3aee4f70b54af16d4010a73432f63263e8580ef3c713892bf5980fad2")
  }

  @Test func theFormsAreChosenBySize() throws {
    func mark(_ data: [UInt8]) throws -> String { String(decoding: try Self.encode(data).prefix(4), as: UTF8.self) }
    #expect(try mark([]) == "bvx$")
    #expect(try mark([1]) == "bvx-")
    #expect(try mark(Array(repeating: 1, count: 300)) == "bvxn")
    #expect(try mark(SeededData.words.bytes(10_000, seed: 1)) == "bvx2")
    #expect(try mark(SeededData.noise.bytes(10_000, seed: 1)) == "bvx-")
    #expect(try Self.encode(SeededData.noise.bytes(10_000, seed: 1)).count == 10_012)
  }

  /// The reference decoder refuses a `bvx2` block whose stream of lengths and distances has less than eight bytes, so
  /// that the stream begins with eight zero bytes, also in a block of a few matches.
  @Test func aBlockOfFewMatchesIsPadded() throws {
    let data = SeededData.noise.bytes(2500, seed: 4).map { $0 & 0x0f } + SeededData.runs.bytes(2500, seed: 4)
    for bytes in [data, SeededData.words.bytes(9000, seed: 4), Array(repeating: 0, count: 5000)] {
      let payload = try Self.encode(bytes)
      let header = try payload.withUnsafeBytes { raw in
        let start = try #require(raw.baseAddress)
        return try LZFSEBlockHeader(start, start + raw.count)
      }
      #expect(header.matchByteCount >= 8)
      #expect(payload[(header.headerByteCount + header.literalByteCount)...].prefix(8) == [0, 0, 0, 0, 0, 0, 0, 0])
    }
  }

  @Test func anOutputThatIsTooSmallIsRefused() throws {
    var encoder = LZFSEEncoder()
    for data in [SeededData.words.bytes(20_000, seed: 1), SeededData.noise.bytes(9000, seed: 1), [1, 2, 3], []] {
      let needed = try Self.encode(data, &encoder).count
      for room in [0, 3, 4, needed / 2, needed - 1] where room < needed {
        var output = [UInt8](repeating: 0xa5, count: needed + 64)
        let count = output.withUnsafeMutableBytes { all in
          data.withUnsafeBytes { encoder.encode($0, into: UnsafeMutableRawBufferPointer(rebasing: all[..<room])) }
        }
        #expect(count == nil)
        #expect(output[room...].allSatisfy { $0 == 0xa5 })
      }
    }
  }

  @Test(.enabled(if: Samples.has("lzfse"))) func samplePayloadsComeBackAfterDecoding() throws {
    var encoder = LZFSEEncoder()
    for payload in try Samples.index("lzfse") {
      let name = try #require(payload["file"] as? String)
      let rawSize = try #require(payload["rawSize"] as? Int)
      let theirs = try Samples.bytes("lzfse/\(name)")
      let data = try LZFSETests.decode(theirs, rawSize)
      let ours = try Self.encode(data, &encoder)
      #expect(try LZFSETests.decode(ours, rawSize) == data, "\(name)")
      #expect(ours.count <= theirs.count + theirs.count / 33 + 16, "\(name): \(ours.count) for \(theirs.count)")
    }
  }
}
