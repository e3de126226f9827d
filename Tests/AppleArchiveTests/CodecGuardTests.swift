import Testing

@testable import AppleArchive

/// What a codec reads and writes stays in its own memory, whatever the payload says.
@Suite struct CodecGuardTests {
  /// `a`, and four more bytes from `distance` before.
  private func unpackLZ4(_ distance: UInt8) throws(CodecFault) -> [UInt8] {
    let block: [UInt8] = [0x10, 0x61, distance, 0]
    let payload = Array("bv41".utf8) + [5, 0, 0, 0, UInt8(block.count), 0, 0, 0] + block + Array("bv4$".utf8)
    return try unpack(payload) { (payload, output) throws(CodecFault) in try LZ4Decoder.decode(payload, into: output) }
  }

  /// The same.
  private func unpackLZVN(_ distance: UInt8) throws(CodecFault) -> [UInt8] {
    let payload: [UInt8] = [0xe1, 0x61, 0x08, distance, 0x06, 0, 0, 0, 0, 0, 0, 0]
    return try unpack(payload) { (payload, output) throws(CodecFault) in
      guard let start = payload.baseAddress, let base = output.baseAddress else { throw .truncated }
      var target = DecodeOutput(output, base: base)
      try decodeLZVN(start, start + payload.count, raw: 5, into: &target)
    }
  }

  /// Unpacks five bytes into the middle of a larger piece of memory, and looks whether the rest stays as it was.
  private func unpack(
    _ payload: [UInt8], _ decode: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws(CodecFault) -> Void
  ) throws(CodecFault) -> [UInt8] {
    var memory = [UInt8](repeating: 0x78, count: 128)
    let result = payload.withUnsafeBytes { payload in
      memory.withUnsafeMutableBytes { memory in
        Result { () throws(CodecFault) in
          try decode(payload, UnsafeMutableRawBufferPointer(rebasing: memory[64..<69]))
        }
      }
    }
    #expect(memory[..<64].allSatisfy { $0 == 0x78 } && memory[69...].allSatisfy { $0 == 0x78 })
    try result.get()
    return Array(memory[64..<69])
  }

  @Test func aMatchBeginsInWhatIsThere() throws {
    #expect(try unpackLZ4(1) == Array("aaaaa".utf8))
    #expect(try unpackLZVN(1) == Array("aaaaa".utf8))
  }

  @Test(arguments: [2, 3, 64]) func aMatchThatBeginsBeforeIsRefused(distance: UInt8) {
    #expect(throws: CodecFault.distance) { try unpackLZ4(distance) }
    #expect(throws: CodecFault.distance) { try unpackLZVN(distance) }
  }

  @Test(arguments: [1, 5, 14]) func literalsBehindTheBlockAreRefused(more: UInt8) {
    let count = 5 + more
    let block: [UInt8] = [min(count, 15) << 4] + (count < 15 ? [] : [count - 15]) + [UInt8](repeating: 0x61, count: 30)
    let payload = Array("bv41".utf8) + [5, 0, 0, 0, UInt8(block.count), 0, 0, 0] + block + Array("bv4$".utf8)
    #expect(throws: CodecFault.tooLong) {
      try unpack(payload) { (payload, output) throws(CodecFault) in try LZ4Decoder.decode(payload, into: output) }
    }
  }

  /// A stored block, and `checksum` bytes, of which zlib has four and Apple's writer none.
  @Test(arguments: [(0, true), (1, false), (3, false), (4, true), (5, false)])
  func nothingButAChecksumStandsBehindAZlibStream(checksum: Int, isGood: Bool) throws {
    let stored: [UInt8] = [0x78, 0x01, 0x01, 5, 0, 0xfa, 0xff] + Array("aaaaa".utf8)
    let payload = stored + [UInt8](repeating: 0, count: checksum)
    func decode() throws(CodecFault) -> [UInt8] {
      try unpack(payload) { (payload, output) throws(CodecFault) in try ZlibDecoder().decode(payload, into: output) }
    }
    if isGood {
      #expect(try decode() == Array("aaaaa".utf8))
    } else {
      #expect(throws: CodecFault.trailingBytes) { try decode() }
    }
  }
}
