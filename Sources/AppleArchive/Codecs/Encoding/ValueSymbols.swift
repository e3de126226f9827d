/// Which symbols stand for the values of L, M and D: the inverse of `FSEShape`'s ranges.
struct ValueSymbols: ~Copyable {
  /// The largest value of each kind.
  static let maximumLength = 315
  static let maximumMatch = 2359
  static let maximumDistance = 262_139

  private let lengthTable = UnsafeMutablePointer<UInt8>.allocate(capacity: maximumLength + 1)
  private let matchTable = UnsafeMutablePointer<UInt8>.allocate(capacity: maximumMatch + 1)

  init() {
    Self.fill(lengthTable, FSEShape.lengths)
    Self.fill(matchTable, FSEShape.matches)
  }

  deinit {
    lengthTable.deallocate()
    matchTable.deallocate()
  }

  private static func fill(_ table: UnsafeMutablePointer<UInt8>, _ ranges: [FSEShape.SymbolRange]) {
    for (symbol, range) in ranges.enumerated() {
      let base = Int(range.base)
      (table + base).initialize(repeating: UInt8(symbol), count: 1 << Int(range.extraBits))
    }
  }

  /// The symbol of a number of literals, 0 … 315.
  @inline(__always)
  func length(_ value: UInt32) -> UInt8 { lengthTable[Int(truncatingIfNeeded: value)] }

  /// The symbol of a match length, 0 … 2359.
  @inline(__always)
  func match(_ value: UInt32) -> UInt8 { matchTable[Int(truncatingIfNeeded: value)] }

  /// The symbol of a distance, 0 … 262,139. Four symbols share each number e of extra bits, and the first of them
  /// begins at 4 · 2^e − 4.
  @inline(__always)
  static func distance(_ value: UInt32) -> UInt8 {
    let shifted = value &+ 4
    let extraBits = 29 &- UInt32(truncatingIfNeeded: shifted.leadingZeroBitCount)
    return UInt8(truncatingIfNeeded: 4 &* extraBits &+ (shifted &>> extraBits) &- 4)
  }
}
