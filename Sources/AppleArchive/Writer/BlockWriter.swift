/// Cuts the entry stream into blocks, compresses them and gives them to a sink.
struct BlockWriter<SinkFailure: Error>: ~Copyable {
  typealias Sink = (UnsafeRawBufferPointer) throws(SinkFailure) -> Void

  private let codec: ArchiveWriterCodec
  private let blockSize: Int
  private let sink: Sink
  private let zlib = ZlibEncoder()
  private let raw: ByteBuffer
  private let packed: ByteBuffer
  private let header = ByteBuffer(capacity: 16)
  private var rawCount = 0
  private var hasStarted = false

  /// `blockSize` ≥ 1.
  init(_ codec: ArchiveWriterCodec, blockSize: Int, _ sink: @escaping Sink) {
    self.codec = codec
    self.blockSize = blockSize
    self.sink = sink
    raw = ByteBuffer(capacity: blockSize)
    packed = ByteBuffer(capacity: blockSize)
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

  /// Writes the last block.
  mutating func finish() throws(ArchiveWriteFailure<SinkFailure>) {
    if rawCount > 0 || !hasStarted { try flush() }
  }

  private mutating func flush() throws(ArchiveWriteFailure<SinkFailure>) {
    if !hasStarted {
      hasStarted = true
      header.mutablePrefix(4).copyBytes(from: [UInt8(ascii: "p"), UInt8(ascii: "b"), UInt8(ascii: "z"), codec.letter])
      header.start.storeBytes(of: UInt64(blockSize).bigEndian, toByteOffset: 4, as: UInt64.self)
      try put(header.prefix(12))
    }
    guard rawCount > 0 else { return }
    let block = raw.prefix(rawCount)
    var payload = block
    if let count = try compressed(block), count + (rawCount >> 4) < rawCount { payload = packed.prefix(count) }
    header.start.storeBytes(of: UInt64(rawCount).bigEndian, toByteOffset: 0, as: UInt64.self)
    header.start.storeBytes(of: UInt64(payload.count).bigEndian, toByteOffset: 8, as: UInt64.self)
    try put(header.prefix(16))
    try put(payload)
    rawCount = 0
  }

  /// How many bytes of `packed` hold the compressed block; nil when it is better stored.
  private func compressed(_ block: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>) -> Int? {
    switch codec {
    case .stored: return nil
    case .zlib:
      do throws(ArchiveFailure) {
        return try zlib.encode(block, into: packed.mutablePrefix(block.count))
      } catch {
        throw .archive(error)
      }
    }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>) {
    do throws(SinkFailure) {
      try sink(bytes)
    } catch {
      throw .sink(error)
    }
  }
}
