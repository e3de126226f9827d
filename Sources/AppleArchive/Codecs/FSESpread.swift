/// The alphabets of LZFSE: how many symbols and states each has, and what a symbol stands for.
enum FSEShape {
  static let lengthSymbols = 20
  static let matchSymbols = 20
  static let distanceSymbols = 64
  static let literalSymbols = 256
  static let lengthStates = 64
  static let matchStates = 64
  static let distanceStates = 256
  static let literalStates = 1024
  static let symbolCount = lengthSymbols + matchSymbols + distanceSymbols + literalSymbols

  /// Extra bits and base value of the symbols of L.
  static let lengths = ranges(extraBits: Array(repeating: 0, count: 16) + [2, 3, 5, 8])
  /// Extra bits and base value of the symbols of M.
  static let matches = ranges(extraBits: Array(repeating: 0, count: 16) + [3, 5, 8, 11])
  /// Extra bits and base value of the symbols of D.
  static let distances = ranges(extraBits: (0..<64).map { UInt8($0 / 4) })

  struct SymbolRange {
    let extraBits: UInt8
    let base: Int32
  }

  private static func ranges(extraBits: [UInt8]) -> [SymbolRange] {
    var base: Int32 = 0
    return extraBits.map { bits in
      defer { base += 1 << Int32(bits) }
      return SymbolRange(extraBits: bits, base: base)
    }
  }
}

/// One state of the literal alphabet.
struct FSELiteralRow {
  var stateBits: UInt8
  var symbol: UInt8
  /// Added to the bits read, gives the next state.
  var delta: Int16
}

/// One state of the L, M or D alphabet: the extra bits of the value and the bits of the next state are read at once.
struct FSEValueRow {
  var totalBits: UInt8
  var valueBits: UInt8
  var delta: Int16
  var base: Int32
}

/// How the states of one symbol read their bits: the first `longStates` take `bits` bits, the others one less.
///
/// With frequency f of n states: the next state is at most n − 1 in both cases, because ((f + j) << k) − n + 2^k − 1 ≤
/// n − 1 for j < j0 = (2n >> k) − f, and (j − j0 + 1) << (k − 1) ≤ n for the others. No state can leave its table.
struct FSESpread {
  let bits: Int
  let longStates: Int
  let frequency: Int
  let stateCount: Int

  @inline(__always)
  init(frequency: Int, stateCount: Int) {
    bits = frequency.leadingZeroBitCount &- stateCount.leadingZeroBitCount
    longStates = ((2 &* stateCount) &>> bits) &- frequency
    self.frequency = frequency
    self.stateCount = stateCount
  }

  @inline(__always)
  func row(_ index: Int) -> (bits: Int, delta: Int) {
    if index < longStates {
      return (bits, ((frequency &+ index) &<< bits) &- stateCount)
    }
    return (bits &- 1, (index &- longStates) &<< (bits &- 1))
  }
}

extension UnsafeMutablePointer<FSELiteralRow> {
  /// Fills the table's 1024 rows; rows that no symbol claims read nothing and give symbol 0.
  func build(_ frequencies: UnsafePointer<UInt16>) throws(CodecFault) {
    var next = 0
    for symbol in 0..<FSEShape.literalSymbols {
      let frequency = Int(truncatingIfNeeded: frequencies[symbol])
      guard frequency > 0 else { continue }
      guard next &+ frequency <= FSEShape.literalStates else { throw .malformed }
      let spread = FSESpread(frequency: frequency, stateCount: FSEShape.literalStates)
      for index in 0..<frequency {
        let (bits, delta) = spread.row(index)
        self[next &+ index] = FSELiteralRow(
          stateBits: UInt8(truncatingIfNeeded: bits), symbol: UInt8(truncatingIfNeeded: symbol),
          delta: Int16(truncatingIfNeeded: delta))
      }
      next &+= frequency
    }
    while next < FSEShape.literalStates {
      self[next] = FSELiteralRow(stateBits: 0, symbol: 0, delta: 0)
      next &+= 1
    }
  }
}

extension UnsafeMutablePointer<FSEValueRow> {
  /// Fills the table's `stateCount` rows; rows that no symbol claims read nothing and give 0.
  func build(
    _ frequencies: UnsafePointer<UInt16>, _ symbols: [FSEShape.SymbolRange], stateCount: Int
  ) throws(CodecFault) {
    var next = 0
    for (symbol, range) in symbols.enumerated() {
      let frequency = Int(truncatingIfNeeded: frequencies[symbol])
      guard frequency > 0 else { continue }
      guard next &+ frequency <= stateCount else { throw .malformed }
      let spread = FSESpread(frequency: frequency, stateCount: stateCount)
      for index in 0..<frequency {
        let (bits, delta) = spread.row(index)
        self[next &+ index] = FSEValueRow(
          totalBits: UInt8(truncatingIfNeeded: bits) &+ range.extraBits, valueBits: range.extraBits,
          delta: Int16(truncatingIfNeeded: delta), base: range.base)
      }
      next &+= frequency
    }
    while next < stateCount {
      self[next] = FSEValueRow(totalBits: 0, valueBits: 0, delta: 0, base: 0)
      next &+= 1
    }
  }
}

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
