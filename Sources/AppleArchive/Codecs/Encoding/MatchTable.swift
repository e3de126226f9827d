/// The latest places of each hash of four bytes: four for each bucket, newest first.
///
/// An entry holds the four bytes in its low half, so that most wrong candidates fall without a look at the data, and
/// the place + `bias` in its high half. The bias makes an empty entry (0) lie too far back for any match.
struct MatchTable: ~Copyable {
  static let ways = 4
  private static let hashBits: UInt32 = 14
  private static let bias = 1 << 18
  private static let entryCount = ways << Int(hashBits)

  private let entries = UnsafeMutablePointer<UInt64>.allocate(capacity: entryCount)

  deinit { entries.deallocate() }

  /// Forgets all places.
  func clear() {
    entries.update(repeating: 0, count: Self.entryCount)
  }

  /// The bucket for the four bytes in `word`.
  @inline(__always)
  func bucket(_ word: UInt32) -> UnsafeMutablePointer<UInt64> {
    entries + (Int(truncatingIfNeeded: (word &* 0x9e37_79b1) &>> (32 &- Self.hashBits)) &* Self.ways)
  }

  /// How far `entry` lies before `place`; more than any allowed distance for an empty entry.
  @inline(__always)
  static func distance(_ entry: UInt64, from place: Int) -> Int {
    place &+ bias &- Int(truncatingIfNeeded: entry &>> 32)
  }

  /// Puts `place` in front of the bucket; its oldest entry falls out.
  @inline(__always)
  static func insert(_ word: UInt32, _ place: Int, into bucket: UnsafeMutablePointer<UInt64>) {
    let first = bucket[0]
    let second = bucket[1]
    let third = bucket[2]
    bucket[0] = (UInt64(truncatingIfNeeded: place &+ bias) &<< 32) | UInt64(truncatingIfNeeded: word)
    bucket[1] = first
    bucket[2] = second
    bucket[3] = third
  }
}

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

/// How many bytes from `place` on equal those from `place − distance` on, up to `end`. The first `known` are known to
/// be equal.
@inline(__always)
func matchLength(_ place: UnsafeRawPointer, _ distance: Int, known: Int, end: UnsafeRawPointer) -> Int {
  let earlier = place - distance
  let room = end - place
  var length = known
  while length &+ 8 <= room {
    let difference = place.word64(length) ^ earlier.word64(length)
    if difference != 0 { return length &+ difference.trailingZeroBitCount &>> 3 }
    length &+= 8
  }
  while length < room, place.byte(length) == earlier.byte(length) { length &+= 1 }
  return length
}
