/// Writes LZVN opcodes. Its owner has made room for them.
struct LZVNWriter {
  private let start: UnsafeMutableRawPointer
  private var next: UnsafeMutableRawPointer
  private var lastDistance = 0

  init(_ start: UnsafeMutableRawPointer) {
    self.start = start
    next = start
  }

  var byteCount: Int { next - start }

  /// Literals without a match: `1110LLLL` or, for 16 … 271 of them, `e0` and a byte.
  mutating func appendLiterals(_ source: UnsafeRawPointer, _ count: Int) {
    var source = source
    var count = count
    while count > 0 {
      let piece = min(count, 271)
      if piece >= 16 {
        put(0xe0)
        put(piece &- 16)
      } else {
        put(0xe0 | piece)
      }
      copy(source, piece)
      source += piece
      count &-= piece
    }
  }

  /// Literals and a match of at least 3 bytes, `distance` 1 … 65,535.
  mutating func append(_ source: UnsafeRawPointer, literals: Int, match: Int, distance: Int) {
    var source = source
    var literals = literals
    if literals > 3 {
      appendLiterals(source, literals)
      source += literals
      literals = 0
    }
    // How much of the match the first opcode holds. More than 10 − 2L would make it another opcode.
    var first = min(match, 10 &- 2 &* literals)
    let top = literals &<< 6
    if distance == lastDistance {
      if literals == 0 {
        first = 0
      } else {
        put(top | (first &- 3) &<< 3 | 6)
      }
    } else if distance < 0x600, match == first || match > 34 {
      put(top | (first &- 3) &<< 3 | distance &>> 8)
      put(distance & 255)
    } else if distance < 0x4000, match > first {
      first = min(match, 34)
      put(0xa0 | literals &<< 3 | (first &- 3) &>> 2)
      put((distance & 63) &<< 2 | (first &- 3) & 3)
      put(distance &>> 6)
    } else {
      put(top | (first &- 3) &<< 3 | 7)
      put(distance & 255)
      put(distance &>> 8)
    }
    lastDistance = distance
    copy(source, literals)
    appendMatch(match &- first)
  }

  /// `06` and seven zero bytes.
  mutating func end() {
    next.storeBytes(of: UInt64(6).littleEndian, as: UInt64.self)
    next += 8
  }

  /// More of a match with the previous distance: `1111MMMM` or, for 16 … 271 bytes, `f0` and a byte.
  private mutating func appendMatch(_ count: Int) {
    var count = count
    while count > 0 {
      let piece = min(count, 271)
      if piece >= 16 {
        put(0xf0)
        put(piece &- 16)
      } else {
        put(0xf0 | piece)
      }
      count &-= piece
    }
  }

  private mutating func put(_ byte: Int) {
    next.storeBytes(of: UInt8(truncatingIfNeeded: byte), as: UInt8.self)
    next += 1
  }

  private mutating func copy(_ source: UnsafeRawPointer, _ count: Int) {
    next.copyMemory(from: source, byteCount: count)
    next += count
  }
}
