import Digests
import Testing

@testable import AppleArchive

@Suite(.enabled(if: Samples.has("lzfse"))) struct LZFSETests {
  /// Decodes one payload to exactly `rawSize` bytes.
  static func decode(_ payload: [UInt8], _ rawSize: Int) throws(CodecFault) -> [UInt8] {
    // One byte of canary behind the room that the decoder is given.
    var output = [UInt8](repeating: 0xa5, count: rawSize + 1)
    let decoder = LZFSEDecoder()
    let result = output.withUnsafeMutableBytes { room in
      payload.withUnsafeBytes { source in
        Result { () throws(CodecFault) in
          try decoder.decode(source, into: UnsafeMutableRawBufferPointer(rebasing: room[..<rawSize]))
        }
      }
    }
    try result.get()
    #expect(output.removeLast() == 0xa5)
    return output
  }

  @Test func decodesWhatTheReferenceEncoderWrote() throws {
    let index = try Samples.index("lzfse")
    #expect(index.count == 72)
    for payload in index {
      let name = try #require(payload["file"] as? String)
      let rawSize = try #require(payload["rawSize"] as? Int)
      let bytes = try Samples.bytes("lzfse/\(name)")
      #expect(try Digest.sha256Text(Self.decode(bytes, rawSize)) == payload["sha256"] as? String, "\(name)")
      #expect(throws: CodecFault.self, "\(name)") { try Self.decode(bytes, rawSize + 1) }
      if rawSize > 0 { #expect(throws: CodecFault.self, "\(name)") { try Self.decode(bytes, rawSize - 1) } }
      #expect(throws: CodecFault.self, "\(name)") { try Self.decode(Array(bytes.dropLast()), rawSize) }
      #expect(throws: CodecFault.self, "\(name)") { try Self.decode(bytes + [0], rawSize) }
    }
  }

  @Test func changedPayloadsAreSurvived() throws {
    var generator = SeededGenerator(state: 3)
    for payload in try Samples.index("lzfse") {
      let name = try #require(payload["file"] as? String)
      let rawSize = try #require(payload["rawSize"] as? Int)
      let bytes = try Samples.bytes("lzfse/\(name)")
      guard rawSize > 0, bytes.count < 5000 else { continue }
      for _ in 0..<60 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          // Headers and tables are where damage goes deepest.
          let end = Bool.random(using: &generator) ? min(bytes.count, 140) : bytes.count
          changed[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        _ = try? Self.decode(changed, rawSize)
      }
    }
  }

  @Test func refusesTheFormThatNobodyWrites() {
    #expect(throws: CodecFault.uncompressedTables) { try Self.decode(Array("bvx1".utf8) + hex("00000000"), 4) }
  }
}
