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
