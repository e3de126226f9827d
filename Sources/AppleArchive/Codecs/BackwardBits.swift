/// Reads a bit stream from its end towards its start. The bits to come stand at the top of `window`.
struct BackwardBits {
  private var window: UInt64
  private var consumed: Int
  private var position: UnsafeRawPointer
  /// No load starts below this address.
  private let floor: UnsafeRawPointer

  /// Starts at `end`, whose last byte has `unusedBits` (0 … 7) unused high bits, which must be 0. At least 8 bytes lie
  /// between `floor` and `end`.
  @inline(__always)
  init(end: UnsafeRawPointer, unusedBits: Int, floor: UnsafeRawPointer) throws(CodecFault) {
    guard end - floor >= 8 else { throw .truncated }
    position = end - 8
    self.floor = floor
    let word = position.word64()
    consumed = unusedBits
    window = word &<< UInt64(truncatingIfNeeded: unusedBits)
    guard (window &>> UInt64(truncatingIfNeeded: unusedBits)) == word else { throw .malformed }
  }

  /// Makes at least 57 bits available.
  @inline(__always)
  mutating func refill() throws(CodecFault) {
    position -= consumed &>> 3
    guard position >= floor else { throw .truncated }
    consumed &= 7
    window = position.word64() &<< UInt64(truncatingIfNeeded: consumed)
  }

  /// Takes `count` bits, 0 … 32, that are available.
  @inline(__always)
  mutating func take(_ count: Int) -> Int {
    let shift = UInt64(truncatingIfNeeded: count)
    let bits = (window &>> 1) &>> (63 &- shift)
    window &<<= shift
    consumed &+= count
    return Int(truncatingIfNeeded: bits)
  }

  /// Whether no more bits were taken than the stream that starts at `start` holds.
  func staysWithin(_ start: UnsafeRawPointer) -> Bool {
    (position - start) &* 8 &+ 64 &- consumed >= 0
  }
}

/// Little-endian loads at any address. The caller has checked that the bytes are there.
extension UnsafeRawPointer {
  @inline(__always)
  func word16(_ offset: Int = 0) -> Int {
    Int(truncatingIfNeeded: UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inline(__always)
  func word32(_ offset: Int = 0) -> Int {
    Int(truncatingIfNeeded: UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  @inline(__always)
  func word64(_ offset: Int = 0) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  func byte(_ offset: Int = 0) -> Int {
    Int(truncatingIfNeeded: load(fromByteOffset: offset, as: UInt8.self))
  }
}
