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
