/// Where a decoder writes one block: `start` ≤ `next` ≤ `end`, every write stays below `end`.
struct DecodeOutput {
  let start: UnsafeMutableRawPointer
  let end: UnsafeMutableRawPointer
  var next: UnsafeMutableRawPointer

  init(_ buffer: UnsafeMutableRawBufferPointer, base: UnsafeMutableRawPointer) {
    start = base
    next = base
    end = base + buffer.count
  }

  var room: Int { end - next }

  /// Appends `count` bytes; the caller has checked that they can be read.
  mutating func append(_ source: UnsafeRawPointer, _ count: Int) throws(CodecFault) {
    guard count <= room else { throw .tooLong }
    next.copyMemory(from: source, byteCount: count)
    next += count
  }
}

/// How far a wild copy may write past its end. A decoder uses wild copies only where that much room was checked.
let wildCopyMargin = 32

/// Copies `count` bytes in steps of 16, reading and writing up to 31 bytes past the end of both sides.
@inline(__always)
func wildCopy(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
  var offset = 0
  repeat {
    let low = source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    target.storeBytes(of: low, toByteOffset: offset, as: SIMD16<UInt8>.self)
    offset &+= 16
  } while offset < count
}

/// Copies a match of `count` bytes from `distance` bytes back, overlapping as LZ77 means it, and writes up to
/// `wildCopyMargin` bytes past its end. `distance` ≥ 1 was checked against what has been produced.
@inline(__always)
func wildMatch(_ target: UnsafeMutableRawPointer, distance: Int, count: Int) {
  if distance >= 16 {
    wildCopy(target, UnsafeRawPointer(target) - distance, count)
  } else if distance >= 8 {
    let source = UnsafeRawPointer(target) - distance
    var offset = 0
    repeat {
      let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    } while offset < count
  } else {
    exactMatch(target, distance: distance, count: count)
  }
}

/// Copies a match without writing past its end. A repeated pattern is laid down by doubling, so that a long run costs a
/// few block copies.
func exactMatch(_ target: UnsafeMutableRawPointer, distance: Int, count: Int) {
  let source = UnsafeRawPointer(target) - distance
  if distance >= count {
    target.copyMemory(from: source, byteCount: count)
    return
  }
  if count <= 16 {
    var offset = 0
    while offset < count {
      target.storeBytes(of: source.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset, as: UInt8.self)
      offset &+= 1
    }
    return
  }
  // From `source` on, `ready` bytes hold the pattern; each step appends a copy of all of them.
  var ready = distance
  var written = 0
  while written < count {
    let step = min(ready, count &- written)
    (target + written).copyMemory(from: source, byteCount: step)
    written &+= step
    ready &+= step
  }
}
