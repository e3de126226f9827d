/// The header of a `bvx2` block: counts, sizes and first states, checked against their ranges and the payload's end.
struct LZFSEBlockHeader {
  let rawSize: Int
  let literalCount: Int
  let literalByteCount: Int
  let matchCount: Int
  /// Unused bits at the end of the literal stream, 0 … 7.
  let literalUnusedBits: Int
  let literalStates: (Int, Int, Int, Int)
  let matchByteCount: Int
  /// Unused bits at the end of the L, M, D stream, 0 … 7.
  let matchUnusedBits: Int
  /// From the mark to the end of the frequency tables.
  let headerByteCount: Int
  let lengthState: Int
  let matchState: Int
  let distanceState: Int

  static let fixedByteCount = 32
  static let maximumLiterals = 40_000
  static let maximumMatches = 10_000

  /// The whole block.
  var byteCount: Int { headerByteCount + literalByteCount + matchByteCount }

  init(_ source: UnsafeRawPointer, _ end: UnsafeRawPointer) throws(CodecFault) {
    guard end - source >= Self.fixedByteCount else { throw .truncated }
    func bits(_ word: UInt64, _ offset: UInt64, _ width: UInt64) -> Int {
      Int(truncatingIfNeeded: (word &>> offset) & ((1 &<< width) &- 1))
    }
    let first = source.word64(8)
    let second = source.word64(16)
    let third = source.word64(24)
    rawSize = source.word32(4)
    literalCount = bits(first, 0, 20)
    literalByteCount = bits(first, 20, 20)
    matchCount = bits(first, 40, 20)
    literalUnusedBits = 7 - bits(first, 60, 3)
    literalStates = (bits(second, 0, 10), bits(second, 10, 10), bits(second, 20, 10), bits(second, 30, 10))
    matchByteCount = bits(second, 40, 20)
    matchUnusedBits = 7 - bits(second, 60, 3)
    headerByteCount = bits(third, 0, 32)
    lengthState = bits(third, 32, 10)
    matchState = bits(third, 42, 10)
    distanceState = bits(third, 52, 10)
    // The four literal states have 10 bits and the literal table 1024 rows: any value is in range.
    guard literalCount <= Self.maximumLiterals, literalCount & 3 == 0, matchCount <= Self.maximumMatches,
      lengthState < FSEShape.lengthStates, matchState < FSEShape.matchStates, distanceState < FSEShape.distanceStates,
      headerByteCount >= Self.fixedByteCount
    else { throw .malformed }
    // Four more bytes, because another mark must follow; it also lets the bit reader load whole words.
    guard byteCount + 4 <= end - source else { throw .truncated }
  }
}

/// The four letters that begin a block of an LZFSE payload, as a little-endian number.
enum LZFSEMark {
  /// `bvx$`, the end.
  static let end: UInt32 = 0x2478_7662
  /// `bvx-`, a plain copy.
  static let plain: UInt32 = 0x2d78_7662
  /// `bvxn`, LZVN opcodes.
  static let lzvn: UInt32 = 0x6e78_7662
  /// `bvx2`, finite state entropy.
  static let fse: UInt32 = 0x3278_7662
  /// `bvx1`, which no encoder writes.
  static let fseUncompressedTables: UInt32 = 0x3178_7662
}
