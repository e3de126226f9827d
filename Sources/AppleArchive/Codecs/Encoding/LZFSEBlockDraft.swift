/// The literals and matches of the `bvx2` block that is being filled.
struct LZFSEBlockDraft: ~Copyable {
  /// One step of the decoder: `length` literals, then `match` bytes from `distance` back (0: as far as the last time).
  struct Step {
    var distance: UInt32
    var match: UInt16
    var length: UInt16
  }

  static let maximumSteps = LZFSEBlockHeader.maximumMatches
  static let maximumLiterals = LZFSEBlockHeader.maximumLiterals

  let steps = UnsafeMutablePointer<Step>.allocate(capacity: maximumSteps)
  /// The margin lets literals be copied in steps of 16.
  let literals = UnsafeMutablePointer<UInt8>.allocate(capacity: maximumLiterals + wildCopyMargin)
  private(set) var stepCount = 0
  private(set) var literalCount = 0
  /// Decoded bytes of the block.
  private(set) var rawCount = 0
  private var lastDistance: UInt32 = 0

  deinit {
    steps.deallocate()
    literals.deallocate()
  }

  var isEmpty: Bool { stepCount == 0 }

  mutating func clear() {
    stepCount = 0
    literalCount = 0
    rawCount = 0
    lastDistance = 0
  }

  /// Whether a step with `length` literals has room. `length` ≤ 315.
  @inline(__always)
  func hasRoom(_ length: Int) -> Bool {
    stepCount < Self.maximumSteps && literalCount &+ length <= Self.maximumLiterals
  }

  /// Adds a step that has room; `length` ≤ 315, `match` ≤ 2359. `source` holds the literals, and 31 readable bytes
  /// follow them where `isRoomy`. Without a match `distance` is not looked at.
  @inline(__always)
  mutating func append(_ source: UnsafeRawPointer, length: Int, match: Int, distance: UInt32, isRoomy: Bool) {
    // A step needs a distance even without a match; 1 is within what has been produced after one literal.
    let wanted = match > 0 ? distance : (lastDistance > 0 ? lastDistance : 1)
    steps[stepCount] = Step(
      distance: wanted == lastDistance ? 0 : wanted, match: UInt16(truncatingIfNeeded: match),
      length: UInt16(truncatingIfNeeded: length))
    lastDistance = wanted
    stepCount &+= 1
    let target = UnsafeMutableRawPointer(literals + literalCount)
    if isRoomy {
      wildCopy(target, source, length)
    } else {
      target.copyMemory(from: source, byteCount: length)
    }
    literalCount &+= length
    rawCount &+= length &+ match
  }

  /// Repeats the last literal until the four interleaved streams are equally long.
  mutating func padLiterals() {
    while literalCount & 3 != 0 {
      literals[literalCount] = literals[literalCount &- 1]
      literalCount &+= 1
    }
  }
}

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
