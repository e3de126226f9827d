/// How a symbol moves the encoder's state. A state is kept as s + n, where s is the decoder's state and n the number
/// of states, so that it lies in n ..< 2n.
///
/// A symbol with frequency f whose states begin at `first` reads k or k − 1 bits (see `FSESpread`). The encoder goes
/// the other way: from S it writes the low `bits` bits, with bits = k where S ≥ f << k and k − 1 below, and goes on in
/// the state n + first + (S >> bits) − f.
struct FSEEncodeRow {
  /// (k << 16) − (f << k): added to S, the upper half is the number of bits.
  var bitsBias: UInt32
  /// n + first − f.
  var stateBias: Int32

  /// Writes the bits that lead from `state` back to the next state of this symbol.
  @inline(__always)
  func encode(_ state: inout UInt32, _ bits: inout ForwardBits) {
    let count = (state &+ bitsBias) &>> 16
    bits.put(UInt64(truncatingIfNeeded: state & ((1 &<< count) &- 1)), UInt64(truncatingIfNeeded: count))
    state = UInt32(truncatingIfNeeded: Int32(truncatingIfNeeded: state &>> count) &+ stateBias)
  }
}

extension UnsafeMutablePointer<FSEEncodeRow> {
  /// Fills one row for each of `symbolCount` frequencies, whose sum is at most `stateCount`.
  func build(_ frequencies: UnsafePointer<UInt16>, symbolCount: Int, stateCount: Int) {
    var first = 0
    for symbol in 0..<symbolCount {
      let frequency = Int(truncatingIfNeeded: frequencies[symbol])
      guard frequency > 0 else { continue }
      let spread = FSESpread(frequency: frequency, stateCount: stateCount)
      self[symbol] = FSEEncodeRow(
        bitsBias: UInt32(truncatingIfNeeded: (spread.bits &<< 16) &- (frequency &<< spread.bits)),
        stateBias: Int32(truncatingIfNeeded: stateCount &+ first &- frequency))
      first &+= frequency
    }
  }
}

/// Scales the counts of `symbolCount` symbols to frequencies whose sum is `stateCount`; a symbol that occurs keeps at
/// least 1. Without any symbol all frequencies are 0. Integers only, so that every machine gives the same tables.
func normalizeFrequencies(
  _ counts: UnsafePointer<UInt32>, _ frequencies: UnsafeMutablePointer<UInt16>, symbolCount: Int, stateCount: Int
) {
  var total: UInt64 = 0
  for symbol in 0..<symbolCount { total &+= UInt64(truncatingIfNeeded: counts[symbol]) }
  guard total > 0 else {
    for symbol in 0..<symbolCount { frequencies[symbol] = 0 }
    return
  }
  let states = UInt64(truncatingIfNeeded: stateCount)
  var missing = stateCount
  for symbol in 0..<symbolCount {
    let count = UInt64(truncatingIfNeeded: counts[symbol])
    var frequency = (count &* states &+ total / 2) / total
    if frequency == 0, count > 0 { frequency = 1 }
    frequencies[symbol] = UInt16(truncatingIfNeeded: frequency)
    missing &-= Int(truncatingIfNeeded: frequency)
  }
  // One state more or less for a symbol of frequency f changes the stream by about count / (f ± ½) bits.
  while missing > 0 {
    let symbol = dearestSymbol(counts, frequencies, symbolCount)
    frequencies[symbol] &+= 1
    missing &-= 1
  }
  while missing < 0 {
    let symbol = cheapestSymbol(counts, frequencies, symbolCount)
    frequencies[symbol] &-= 1
    missing &+= 1
  }
}

/// The symbol that gains most from one more state.
private func dearestSymbol(
  _ counts: UnsafePointer<UInt32>, _ frequencies: UnsafeMutablePointer<UInt16>, _ symbolCount: Int
) -> Int {
  var best = 0
  var bestCount: UInt64 = 0
  var bestWeight: UInt64 = 1
  for symbol in 0..<symbolCount where counts[symbol] > 0 {
    let count = UInt64(truncatingIfNeeded: counts[symbol])
    let weight = UInt64(truncatingIfNeeded: frequencies[symbol]) &* 2 &+ 1
    if count &* bestWeight > bestCount &* weight {
      (best, bestCount, bestWeight) = (symbol, count, weight)
    }
  }
  return best
}

/// The symbol that loses least from one state less; it has at least 2. There is one, because there are fewer symbols
/// than states.
private func cheapestSymbol(
  _ counts: UnsafePointer<UInt32>, _ frequencies: UnsafeMutablePointer<UInt16>, _ symbolCount: Int
) -> Int {
  var best = 0
  var bestCount: UInt64 = .max
  var bestWeight: UInt64 = 1
  for symbol in 0..<symbolCount where frequencies[symbol] > 1 {
    let count = UInt64(truncatingIfNeeded: counts[symbol])
    let weight = UInt64(truncatingIfNeeded: frequencies[symbol]) &* 2 &- 1
    if bestCount == .max || count &* bestWeight < bestCount &* weight {
      (best, bestCount, bestWeight) = (symbol, count, weight)
    }
  }
  return best
}

/// Writes the 360 frequencies of a `bvx2` block (L, M, D, literals) in the code that `readFSEFrequencies` reads. Gives
/// the number of bytes, at most `maximumFrequencyBytes`; 8 more must be writable.
func writeFSEFrequencies(_ frequencies: UnsafePointer<UInt16>, into target: UnsafeMutableRawPointer) -> Int {
  var bits = ForwardBits(target)
  for symbol in 0..<FSEShape.symbolCount {
    let value = UInt64(truncatingIfNeeded: frequencies[symbol])
    switch value {
    case 0: bits.put(0b00, 2)
    case 1: bits.put(0b10, 2)
    case 2: bits.put(0b001, 3)
    case 3: bits.put(0b101, 3)
    case 4...7: bits.put(0b011 | (value &- 4) &<< 3, 5)
    case 8...23: bits.put(0b0111 | (value &- 8) &<< 4, 8)
    default: bits.put(0b1111 | (value &- 24) &<< 4, 14)
    }
    bits.flush()
  }
  return bits.finish().byteCount
}

/// All symbols in the longest code.
let maximumFrequencyBytes = (FSEShape.symbolCount * 14 + 7) / 8
