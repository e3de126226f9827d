/// The tables and the literal buffer of a `bvx2` block, and the loops that use them.
struct LZFSEScratch: ~Copyable {
  private let frequencies = UnsafeMutablePointer<UInt16>.allocate(capacity: FSEShape.symbolCount)
  private let lengths = UnsafeMutablePointer<FSEValueRow>.allocate(capacity: FSEShape.lengthStates)
  private let matches = UnsafeMutablePointer<FSEValueRow>.allocate(capacity: FSEShape.matchStates)
  private let distances = UnsafeMutablePointer<FSEValueRow>.allocate(capacity: FSEShape.distanceStates)
  private let literalRows = UnsafeMutablePointer<FSELiteralRow>.allocate(capacity: FSEShape.literalStates)
  /// The literals of one block; the margin lets wild copies read past the last one.
  private let literals = ByteBuffer(capacity: LZFSEBlockHeader.maximumLiterals + wildCopyMargin)

  init() {
    // Wild copies read past the literals of the block; what they read is overwritten later, but must be defined.
    literals.start.initializeMemory(as: UInt8.self, repeating: 0, count: literals.capacity)
  }

  deinit {
    frequencies.deallocate()
    lengths.deallocate()
    matches.deallocate()
    distances.deallocate()
    literalRows.deallocate()
  }

  /// Decodes the block at `source`, whose sizes `header` has checked. It must give exactly its raw size.
  func decode(
    _ source: UnsafeRawPointer, _ header: LZFSEBlockHeader, into output: inout DecodeOutput
  ) throws(CodecFault) {
    guard header.rawSize <= output.room else { throw .tooLong }
    try buildTables(source, header)
    try decodeLiterals(source, header)
    try decodeMatches(source, header, into: &output)
  }

  private func buildTables(_ source: UnsafeRawPointer, _ header: LZFSEBlockHeader) throws(CodecFault) {
    let tableByteCount = header.headerByteCount - LZFSEBlockHeader.fixedByteCount
    try readFSEFrequencies(source + LZFSEBlockHeader.fixedByteCount, tableByteCount, into: frequencies)
    var symbols = UnsafePointer(frequencies)
    try lengths.build(symbols, FSEShape.lengths, stateCount: FSEShape.lengthStates)
    symbols += FSEShape.lengthSymbols
    try matches.build(symbols, FSEShape.matches, stateCount: FSEShape.matchStates)
    symbols += FSEShape.matchSymbols
    try distances.build(symbols, FSEShape.distances, stateCount: FSEShape.distanceStates)
    symbols += FSEShape.distanceSymbols
    try literalRows.build(symbols)
  }

  private func decodeLiterals(_ source: UnsafeRawPointer, _ header: LZFSEBlockHeader) throws(CodecFault) {
    let start = source + header.headerByteCount
    var bits = try BackwardBits(
      end: start + header.literalByteCount, unusedBits: header.literalUnusedBits, floor: source)
    var (first, second, third, fourth) = header.literalStates
    let rows = UnsafePointer(literalRows)
    let target = literals.start.assumingMemoryBound(to: UInt8.self)
    var index = 0
    while index < header.literalCount {
      try bits.refill()  // four symbols take at most 40 bits
      var row = rows[first]
      target[index] = row.symbol
      first = bits.take(Int(truncatingIfNeeded: row.stateBits)) &+ Int(truncatingIfNeeded: row.delta)
      row = rows[second]
      target[index &+ 1] = row.symbol
      second = bits.take(Int(truncatingIfNeeded: row.stateBits)) &+ Int(truncatingIfNeeded: row.delta)
      row = rows[third]
      target[index &+ 2] = row.symbol
      third = bits.take(Int(truncatingIfNeeded: row.stateBits)) &+ Int(truncatingIfNeeded: row.delta)
      row = rows[fourth]
      target[index &+ 3] = row.symbol
      fourth = bits.take(Int(truncatingIfNeeded: row.stateBits)) &+ Int(truncatingIfNeeded: row.delta)
      index &+= 4
    }
    guard bits.staysWithin(start) else { throw .truncated }
  }

  private func decodeMatches(
    _ source: UnsafeRawPointer, _ header: LZFSEBlockHeader, into output: inout DecodeOutput
  ) throws(CodecFault) {
    let streamStart = source + header.headerByteCount + header.literalByteCount
    var bits = try BackwardBits(
      end: streamStart + header.matchByteCount, unusedBits: header.matchUnusedBits, floor: source)
    var lengthState = header.lengthState
    var matchState = header.matchState
    var distanceState = header.distanceState
    var literal = UnsafeRawPointer(literals.start)
    var literalsLeft = header.literalCount
    let outputStart = output.start
    let blockEnd = output.next + header.rawSize
    var target = output.next
    // 0 makes a repeated distance before the first one fail the check below.
    var distance = 0
    for _ in 0..<header.matchCount {
      try bits.refill()  // the three values take at most 14 + 17 + 23 bits
      let length = Self.value(lengths, &lengthState, &bits)
      let count = Self.value(matches, &matchState, &bits)
      let newDistance = Self.value(distances, &distanceState, &bits)
      if newDistance != 0 { distance = newDistance }

      literalsLeft &-= length
      guard literalsLeft >= 0 else { throw .malformed }
      let produced = (target - outputStart) &+ length
      let room = blockEnd - target
      guard length &+ count <= room else { throw .tooLong }
      guard distance > 0, distance <= produced else { throw .distance }
      if length &+ count &+ wildCopyMargin <= room {
        wildCopy(target, literal, length)
        target += length
        wildMatch(target, distance: distance, count: count)
      } else {
        target.copyMemory(from: literal, byteCount: length)
        target += length
        exactMatch(target, distance: distance, count: count)
      }
      literal += length
      target += count
    }
    guard bits.staysWithin(streamStart) else { throw .truncated }
    guard target == blockEnd else { throw .tooShort }
    output.next = target
  }

  /// The value of one state, which also moves on to the next state.
  @inline(__always)
  private static func value(
    _ rows: UnsafeMutablePointer<FSEValueRow>, _ state: inout Int, _ bits: inout BackwardBits
  ) -> Int {
    let row = rows[state]
    let taken = bits.take(Int(truncatingIfNeeded: row.totalBits))
    let valueBits = Int(truncatingIfNeeded: row.valueBits)
    state = (taken &>> valueBits) &+ Int(truncatingIfNeeded: row.delta)
    return Int(truncatingIfNeeded: row.base) &+ (taken & ((1 &<< valueBits) &- 1))
  }
}
