/// Finds matches of at least three bytes in a few KiB of data: a chain of earlier places for each hash.
struct ChainFinder: ~Copyable {
  private static let hashBits: UInt32 = 11
  private static let depth = 64
  private static let none: UInt16 = .max

  private let heads = UnsafeMutablePointer<UInt16>.allocate(capacity: 1 << Int(hashBits))
  private let earlier: UnsafeMutablePointer<UInt16>

  /// For places below `capacity`, at most 65,535.
  init(capacity: Int) {
    earlier = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
    earlier.initialize(repeating: Self.none, count: capacity)
  }

  deinit {
    heads.deallocate()
    earlier.deallocate()
  }

  /// Forgets all places.
  func clear() {
    heads.update(repeating: Self.none, count: 1 << Int(Self.hashBits))
  }

  /// Makes `place` the newest of its chain; three bytes from there on can be read.
  func insert(_ start: UnsafeRawPointer, _ place: Int) {
    let head = heads + Self.hash(start + place)
    earlier[place] = head.pointee
    head.pointee = UInt16(truncatingIfNeeded: place)
  }

  /// The longest match at `place`, the nearest of equal ones; its length is 0 when there is none. Three bytes from far
  /// would save nothing. Three bytes can be read at `place`.
  func find(_ start: UnsafeRawPointer, _ place: Int, _ count: Int) -> (length: Int, distance: Int) {
    let here = start + place
    var best = (length: 0, distance: 0)
    var candidate = heads[Self.hash(here)]
    var depth = Self.depth
    while candidate != Self.none, depth > 0 {
      let distance = place &- Int(truncatingIfNeeded: candidate)
      let length = matchLength(here, distance, known: 0, end: start + count)
      if length > best.length, length >= (distance < 0x600 ? 3 : 4) { best = (length, distance) }
      candidate = earlier[Int(truncatingIfNeeded: candidate)]
      depth &-= 1
    }
    return best
  }

  private static func hash(_ bytes: UnsafeRawPointer) -> Int {
    let word = UInt32(truncatingIfNeeded: bytes.word16() | bytes.byte(2) &<< 16)
    return Int(truncatingIfNeeded: (word &* 0x9e37_79b1) &>> (32 &- hashBits))
  }
}
