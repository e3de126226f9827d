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
