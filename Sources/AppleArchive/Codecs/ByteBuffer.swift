/// A block of raw memory that is freed with its owner. It only grows, and its old contents are lost when it does.
struct ByteBuffer: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer
  private(set) var capacity: Int

  /// `capacity` ≥ 1 bytes at an address that suits SIMD16.
  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    start = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    start.deallocate()
  }

  /// Makes room for `count` bytes; limits were checked by the caller.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    start.deallocate()
    start = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    capacity = count
  }

  /// The first `count` bytes (at most the capacity).
  func prefix(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: min(max(count, 0), capacity))
  }

  /// The first `count` bytes (at most the capacity), for writing.
  func mutablePrefix(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start, count: min(max(count, 0), capacity))
  }
}
