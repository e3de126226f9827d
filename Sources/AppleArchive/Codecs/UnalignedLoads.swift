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
