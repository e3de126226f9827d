/// Reads the 360 frequencies of a `bvx2` block (L, M, D, literals) from their variable-length code, lowest bit first.
/// The code must end in the table's last byte.
func readFSEFrequencies(
  _ source: UnsafeRawPointer, _ count: Int, into frequencies: UnsafeMutablePointer<UInt16>
) throws(CodecFault) {
  var offset = 0
  var bits: UInt32 = 0
  var available = 0
  for symbol in 0..<FSEShape.symbolCount {
    while available <= 24, offset < count {
      bits |= UInt32(source.load(fromByteOffset: offset, as: UInt8.self)) &<< UInt32(truncatingIfNeeded: available)
      available &+= 8
      offset &+= 1
    }
    let (value, width) = frequencyCode(bits)
    guard width <= available else { throw .truncated }
    frequencies[symbol] = value
    bits &>>= UInt32(truncatingIfNeeded: width)
    available &-= width
  }
  guard available < 8, offset == count else { throw .malformed }
}

/// The frequency that the low bits of `bits` spell, and how many bits it takes.
@inline(__always)
private func frequencyCode(_ bits: UInt32) -> (value: UInt16, width: Int) {
  func field(_ offset: UInt32, _ mask: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: (bits &>> offset) & mask) }
  switch bits & 15 {
  case 0, 4, 8, 12: return (0, 2)
  case 2, 6, 10, 14: return (1, 2)
  case 1, 9: return (2, 3)
  case 5, 13: return (3, 3)
  case 3, 11: return (4 &+ field(3, 3), 5)
  case 7: return (8 &+ field(4, 15), 8)
  default: return (24 &+ field(4, 1023), 14)
  }
}
