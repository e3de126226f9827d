/// Turns a draft into the bytes of a `bvx2` block. It owns the counts, tables and symbol lists and reuses them.
struct FSEBlockEncoder: ~Copyable {
  /// Most bytes that a block can have, with room for the words that bit streams store past their end.
  static let capacity =
    LZFSEBlockHeader.fixedByteCount + maximumFrequencyBytes + (LZFSEBlockDraft.maximumLiterals * 10 + 7) / 8
    + (LZFSEBlockDraft.maximumSteps * 54 + 7) / 8 + stepPadding + 16

  /// Zero bytes before the bits of the steps, as the reference encoder writes them: its decoder loads eight bytes at
  /// once, and refuses a stream that is shorter.
  private static let stepPadding = 8

  private let symbols = ValueSymbols()
  private let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: FSEShape.symbolCount)
  private let frequencies = UnsafeMutablePointer<UInt16>.allocate(capacity: FSEShape.symbolCount)
  private let rows = UnsafeMutablePointer<FSEEncodeRow>.allocate(capacity: FSEShape.symbolCount)
  /// L, M and D symbols of each step.
  private let stepSymbols = UnsafeMutablePointer<SIMD4<UInt8>>.allocate(capacity: LZFSEBlockDraft.maximumSteps)

  private static let matchOffset = FSEShape.lengthSymbols
  private static let distanceOffset = matchOffset + FSEShape.matchSymbols
  private static let literalOffset = distanceOffset + FSEShape.distanceSymbols

  init() {
    rows.initialize(repeating: FSEEncodeRow(bitsBias: 0, stateBias: 0), count: FSEShape.symbolCount)
  }

  deinit {
    counts.deallocate()
    frequencies.deallocate()
    rows.deallocate()
    stepSymbols.deallocate()
  }

  /// Writes the block to `target`, which has `capacity` bytes; gives its length. The draft's literals are padded.
  func encode(_ draft: borrowing LZFSEBlockDraft, into target: UnsafeMutableRawPointer) -> Int {
    count(draft)
    buildTables()
    let tableBytes = writeFSEFrequencies(frequencies, into: target + LZFSEBlockHeader.fixedByteCount)
    let headerBytes = LZFSEBlockHeader.fixedByteCount &+ tableBytes
    let literals = writeLiterals(draft, into: target + headerBytes)
    let steps = writeSteps(draft, into: target + (headerBytes &+ literals.byteCount))

    func word(_ value: Int, _ offset: UInt64) -> UInt64 { UInt64(truncatingIfNeeded: value) &<< offset }
    let counts =
      word(draft.literalCount, 0) | word(literals.byteCount, 20) | word(draft.stepCount, 40)
      | word(7 &- literals.unusedBits, 60)
    let states =
      word(literals.states.0, 0) | word(literals.states.1, 10) | word(literals.states.2, 20)
      | word(literals.states.3, 30) | word(steps.byteCount, 40) | word(7 &- steps.unusedBits, 60)
    let rest =
      word(headerBytes, 0) | word(steps.states.0, 32) | word(steps.states.1, 42) | word(steps.states.2, 52)
    target.storeBytes(of: LZFSEMark.fse.littleEndian, as: UInt32.self)
    target.storeBytes(of: UInt32(truncatingIfNeeded: draft.rawCount).littleEndian, toByteOffset: 4, as: UInt32.self)
    target.storeBytes(of: counts.littleEndian, toByteOffset: 8, as: UInt64.self)
    target.storeBytes(of: states.littleEndian, toByteOffset: 16, as: UInt64.self)
    target.storeBytes(of: rest.littleEndian, toByteOffset: 24, as: UInt64.self)
    return headerBytes &+ literals.byteCount &+ steps.byteCount
  }

  /// Counts the symbols, and notes those of the steps.
  private func count(_ draft: borrowing LZFSEBlockDraft) {
    counts.update(repeating: 0, count: FSEShape.symbolCount)
    let matches = counts + Self.matchOffset
    let distances = counts + Self.distanceOffset
    let steps = draft.steps
    for index in 0..<draft.stepCount {
      let step = steps[index]
      let length = symbols.length(UInt32(truncatingIfNeeded: step.length))
      let match = symbols.match(UInt32(truncatingIfNeeded: step.match))
      let distance = ValueSymbols.distance(step.distance)
      counts[Int(truncatingIfNeeded: length)] &+= 1
      matches[Int(truncatingIfNeeded: match)] &+= 1
      distances[Int(truncatingIfNeeded: distance)] &+= 1
      stepSymbols[index] = SIMD4(length, match, distance, 0)
    }
    let literalCounts = counts + Self.literalOffset
    let literals = draft.literals
    for index in 0..<draft.literalCount { literalCounts[Int(truncatingIfNeeded: literals[index])] &+= 1 }
  }

  private func buildTables() {
    var offset = 0
    for (symbolCount, stateCount) in [
      (FSEShape.lengthSymbols, FSEShape.lengthStates), (FSEShape.matchSymbols, FSEShape.matchStates),
      (FSEShape.distanceSymbols, FSEShape.distanceStates), (FSEShape.literalSymbols, FSEShape.literalStates),
    ] {
      normalizeFrequencies(counts + offset, frequencies + offset, symbolCount: symbolCount, stateCount: stateCount)
      (rows + offset).build(frequencies + offset, symbolCount: symbolCount, stateCount: stateCount)
      offset += symbolCount
    }
  }

  private func writeLiterals(
    _ draft: borrowing LZFSEBlockDraft, into target: UnsafeMutableRawPointer
  ) -> (states: (Int, Int, Int, Int), byteCount: Int, unusedBits: Int) {
    let rows = UnsafePointer(self.rows + Self.literalOffset)
    let literals = UnsafePointer(draft.literals)
    let states = UInt32(FSEShape.literalStates)
    var (first, second, third, fourth) = (states, states, states, states)
    var bits = ForwardBits(target)
    var index = draft.literalCount
    while index > 0 {
      index &-= 4
      rows[Int(truncatingIfNeeded: literals[index &+ 3])].encode(&fourth, &bits)
      rows[Int(truncatingIfNeeded: literals[index &+ 2])].encode(&third, &bits)
      rows[Int(truncatingIfNeeded: literals[index &+ 1])].encode(&second, &bits)
      rows[Int(truncatingIfNeeded: literals[index])].encode(&first, &bits)
      bits.flush()  // four symbols have at most 40 bits
    }
    let (byteCount, unusedBits) = bits.finish()
    func plain(_ state: UInt32) -> Int { Int(truncatingIfNeeded: state &- states) }
    return ((plain(first), plain(second), plain(third), plain(fourth)), byteCount, unusedBits)
  }

  private func writeSteps(
    _ draft: borrowing LZFSEBlockDraft, into target: UnsafeMutableRawPointer
  ) -> (states: (Int, Int, Int), byteCount: Int, unusedBits: Int) {
    let lengthRows = UnsafePointer(rows)
    let matchRows = UnsafePointer(rows + Self.matchOffset)
    let distanceRows = UnsafePointer(rows + Self.distanceOffset)
    var lengthState = UInt32(FSEShape.lengthStates)
    var matchState = UInt32(FSEShape.matchStates)
    var distanceState = UInt32(FSEShape.distanceStates)
    let steps = UnsafePointer(draft.steps)
    // Base values and extra bits of the last four symbols of L and M; the others stand for themselves.
    let lengthExtra = (bases: SIMD4<UInt16>(16, 20, 28, 60), bits: SIMD4<UInt8>(2, 3, 5, 8))
    let matchExtra = (bases: SIMD4<UInt16>(16, 24, 56, 312), bits: SIMD4<UInt8>(3, 5, 8, 11))
    target.storeBytes(of: 0, as: UInt64.self)
    var bits = ForwardBits(target + Self.stepPadding)
    var index = draft.stepCount
    while index > 0 {
      index &-= 1
      let step = steps[index]
      let symbols = stepSymbols[index]
      // Extra bits first: they stand below the bits of the state.
      let distance = UInt64(truncatingIfNeeded: step.distance &+ 4)
      let extraBits = UInt64(truncatingIfNeeded: symbols.z &>> 2)
      bits.put(distance & ((1 &<< extraBits) &- 1), extraBits)
      distanceRows[Int(truncatingIfNeeded: symbols.z)].encode(&distanceState, &bits)
      Self.putExtra(UInt64(truncatingIfNeeded: step.match), symbols.y, matchExtra, &bits)
      matchRows[Int(truncatingIfNeeded: symbols.y)].encode(&matchState, &bits)
      Self.putExtra(UInt64(truncatingIfNeeded: step.length), symbols.x, lengthExtra, &bits)
      lengthRows[Int(truncatingIfNeeded: symbols.x)].encode(&lengthState, &bits)
      bits.flush()  // a step has at most 23 + 17 + 14 bits
    }
    let (byteCount, unusedBits) = bits.finish()
    return (
      (
        Int(truncatingIfNeeded: lengthState) - FSEShape.lengthStates,
        Int(truncatingIfNeeded: matchState) - FSEShape.matchStates,
        Int(truncatingIfNeeded: distanceState) - FSEShape.distanceStates
      ), byteCount + Self.stepPadding, unusedBits
    )
  }

  @inline(__always)
  private static func putExtra(
    _ value: UInt64, _ symbol: UInt8, _ ranges: (bases: SIMD4<UInt16>, bits: SIMD4<UInt8>), _ bits: inout ForwardBits
  ) {
    guard symbol >= 16 else { return }
    let index = Int(truncatingIfNeeded: symbol & 3)
    bits.put(value &- UInt64(truncatingIfNeeded: ranges.bases[index]), UInt64(truncatingIfNeeded: ranges.bits[index]))
  }
}
