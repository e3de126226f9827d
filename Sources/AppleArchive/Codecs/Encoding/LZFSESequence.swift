/// Collects literals and matches into blocks and writes them to an output of limited size.
struct LZFSESequence: ~Copyable {
  private var draft = LZFSEBlockDraft()
  private let encoder = FSEBlockEncoder()
  private let staging = ByteBuffer(capacity: FSEBlockEncoder.capacity)
  private var output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var dataEnd: UnsafeRawPointer?
  /// Bytes in the output.
  private(set) var byteCount = 0

  /// Begins a payload whose decoded bytes are `data`.
  mutating func begin(_ data: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
    self.output = output
    byteCount = 0
    dataEnd = data.baseAddress.map { $0 + data.count }
    draft.clear()
  }

  /// Adds `literals` bytes from `source` and a match after them; long ones become several steps. False when the output
  /// is full.
  @inline(__always)
  mutating func append(_ source: UnsafeRawPointer, literals: Int, match: Int, distance: UInt32) -> Bool {
    var source = source
    var literals = literals
    var match = match
    while true {
      let length = min(literals, ValueSymbols.maximumLength)
      let count = length == literals ? min(match, ValueSymbols.maximumMatch) : 0
      guard length &+ count > 0 else { return true }
      if !draft.hasRoom(length) {
        guard flush() else { return false }
      }
      let isRoomy = length &+ wildCopyMargin <= dataEnd.map { $0 - source } ?? 0
      draft.append(source, length: length, match: count, distance: distance, isRoomy: isRoomy)
      source += length
      literals &-= length
      match &-= count
      if literals &+ match == 0 { return true }
    }
  }

  /// Writes the block that is being filled. False when the output is full.
  mutating func flush() -> Bool {
    guard !draft.isEmpty, let target = output.baseAddress else { return true }
    draft.padLiterals()
    let count = encoder.encode(draft, into: staging.start)
    guard count <= output.count - byteCount else { return false }
    (target + byteCount).copyMemory(from: staging.start, byteCount: count)
    byteCount += count
    draft.clear()
    return true
  }
}
