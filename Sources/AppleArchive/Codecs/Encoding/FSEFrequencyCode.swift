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
