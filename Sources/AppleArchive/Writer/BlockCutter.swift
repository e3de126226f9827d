/// Cuts the entry stream into blocks.
struct BlockCutter<SinkFailure: Error>: ~Copyable {
  private let blockSize: Int
  private let sink: any BlockSink<SinkFailure>
  private let raw: ByteBuffer
  private var rawCount = 0

  /// `blockSize` ≥ 1.
  init(blockSize: Int, _ sink: any BlockSink<SinkFailure>) {
    self.blockSize = blockSize
    self.sink = sink
    raw = ByteBuffer(capacity: blockSize)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>) {
    guard let source = bytes.baseAddress else { return }
    var offset = 0
    while offset < bytes.count {
      let count = min(blockSize - rawCount, bytes.count - offset)
      (raw.start + rawCount).copyMemory(from: source + offset, byteCount: count)
      rawCount += count
      offset += count
      if rawCount == blockSize { try flush() }
    }
  }

  /// Gives out the last block and ends.
  mutating func finish() throws(ArchiveWriteFailure<SinkFailure>) {
    if rawCount > 0 { try flush() }
    try sink.finish()
  }

  private mutating func flush() throws(ArchiveWriteFailure<SinkFailure>) {
    try sink.write(raw.prefix(rawCount))
    rawCount = 0
  }
}

/// Takes the blocks of an archive's entry stream in order, still uncompressed, and makes the container of them.
package protocol BlockSink<SinkFailure>: AnyObject {
  associatedtype SinkFailure: Error

  /// The next block; its bytes are valid during the call only. All blocks but the last have the block size.
  func write(_ block: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>)

  /// Everything has come. Returns when all bytes have gone out.
  func finish() throws(ArchiveWriteFailure<SinkFailure>)
}
