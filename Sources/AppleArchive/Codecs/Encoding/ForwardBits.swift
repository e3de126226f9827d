/// Writes a bit stream that `BackwardBits` reads from its end: the bits that are put last are taken first.
///
/// `flush` stores a whole word, so that 8 bytes past the stream's end must be writable.
struct ForwardBits {
  private var window: UInt64 = 0
  private var held: UInt64 = 0
  private var position: UnsafeMutableRawPointer
  private let start: UnsafeMutableRawPointer

  @inline(__always)
  init(_ start: UnsafeMutableRawPointer) {
    self.start = start
    position = start
  }

  /// Puts the low `count` bits of `value`, whose other bits are 0. After a flush there is room for 56 bits.
  @inline(__always)
  mutating func put(_ value: UInt64, _ count: UInt64) {
    window |= value &<< held
    held &+= count
  }

  /// Moves whole bytes out; at most 7 bits stay.
  @inline(__always)
  mutating func flush() {
    position.storeBytes(of: window.littleEndian, as: UInt64.self)
    position += Int(truncatingIfNeeded: held &>> 3)
    window &>>= held & ~7
    held &= 7
  }

  /// Ends the stream. Gives its bytes and how many high bits of the last one are unused, 0 … 7.
  @inline(__always)
  mutating func finish() -> (byteCount: Int, unusedBits: Int) {
    flush()
    let rest = Int(truncatingIfNeeded: held)
    if rest > 0 { position += 1 }
    return (position - start, rest > 0 ? 8 &- rest : 0)
  }
}
