/// Waiting bytes with memory of their own; nothing is allocated while there are none, so an idle connection costs no
/// buffer.
struct HeldBytes {
  private var start: UnsafeMutableRawPointer?
  private var offset = 0
  private var end = 0
  private var capacity = 0

  var isEmpty: Bool { offset == end }
  var count: Int { end - offset }

  /// What waits; valid until the next change.
  var bytes: UnsafeRawBufferPointer {
    guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start + offset, count: end - offset)
  }

  /// Forgets the first `count` bytes, and gives the memory back with the last one.
  mutating func drop(_ count: Int) {
    offset += min(count, self.count)
    if isEmpty { release() }
  }

  /// Replaces what waits by a copy of `bytes`, which must not be part of it.
  mutating func replace(with bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return release() }
    if capacity < bytes.count {
      release()
      start = .allocate(byteCount: bytes.count, alignment: 16)
      capacity = bytes.count
    }
    start?.copyMemory(from: source, byteCount: bytes.count)
    offset = 0
    end = bytes.count
  }

  /// Adds a copy of `bytes` behind what waits.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !isEmpty, let source = bytes.baseAddress else { return replace(with: bytes) }
    let joined = UnsafeMutableRawPointer.allocate(byteCount: count + bytes.count, alignment: 16)
    if let old = self.bytes.baseAddress { joined.copyMemory(from: old, byteCount: count) }
    (joined + count).copyMemory(from: source, byteCount: bytes.count)
    let total = count + bytes.count
    release()
    start = joined
    end = total
    capacity = total
  }

  /// Gives the memory back. The owner must call it before it is dropped.
  mutating func release() {
    start?.deallocate()
    start = nil
    offset = 0
    end = 0
    capacity = 0
  }
}
