/// Appends bytes to a fixed buffer and remembers when they no longer fit.
struct HeadCursor {
  private let target: UnsafeMutableRawBufferPointer
  private var position = 0
  private var isFull = false

  init(_ target: UnsafeMutableRawBufferPointer) {
    self.target = target
  }

  /// The bytes written; nil when some did not fit.
  var written: Int? { isFull ? nil : position }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    append(source, bytes.count)
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  mutating func append(number: Int) {
    let value = UInt(max(number, 0))
    let digits = Decimal.digits(value)
    guard let start = claim(digits) else { return }
    Decimal.write(value, digits: digits, into: start)
  }

  private mutating func append(_ source: UnsafeRawPointer, _ count: Int) {
    guard let start = claim(count) else { return }
    start.copyMemory(from: source, byteCount: count)
  }

  private mutating func claim(_ count: Int) -> UnsafeMutableRawPointer? {
    guard !isFull, count <= target.count - position, let base = target.baseAddress else {
      isFull = true
      return nil
    }
    let start = base + position
    position += count
    return start
  }
}
