/// Compresses single blocks with one codec: what a block becomes depends on its bytes alone, so that any number of
/// compressors on any number of threads give the same archive. It keeps its tables between blocks.
package struct BlockCompressor: ~Copyable {
  private let codec: ArchiveWriterCodec
  private var lzfse: LZFSEEncoder?
  private let zlib = ZlibEncoder()

  package init(_ codec: ArchiveWriterCodec) {
    self.codec = codec
    lzfse = codec == .lzfse ? LZFSEEncoder() : nil
  }

  /// Writes the compressed form of `block` to `output`, which needs no more room than the block has bytes. Gives its
  /// length, nil when the block is better stored: it must save more than a sixteenth, as in Apple's archives.
  package mutating func compress(
    _ block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ArchiveFailure) -> Int? {
    let count: Int?
    switch codec {
    case .stored: count = nil
    case .zlib: count = try zlib.encode(block, into: output)
    case .lzfse: count = lzfse?.encode(block, into: output)
    }
    guard let count, count + (block.count >> 4) < block.count else { return nil }
    return count
  }
}

/// Compresses one block after the other on the calling thread.
final class SerialBlockCompressor<SinkFailure: Error>: BlockSink {
  private let codec: ArchiveWriterCodec
  private let blockSize: Int
  private let sink: (UnsafeRawBufferPointer) throws(SinkFailure) -> Void
  private var compressor: BlockCompressor
  private let packed: ByteBuffer
  private var hasStarted = false

  /// `blockSize` ≥ 1; `sink` takes the archive's bytes.
  init(
    _ codec: ArchiveWriterCodec, blockSize: Int,
    _ sink: @escaping (UnsafeRawBufferPointer) throws(SinkFailure) -> Void
  ) {
    self.codec = codec
    self.blockSize = blockSize
    self.sink = sink
    compressor = BlockCompressor(codec)
    packed = ByteBuffer(capacity: blockSize)
  }

  func write(_ block: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>) {
    try start()
    var payload = block
    do throws(ArchiveFailure) {
      if let count = try compressor.compress(block, into: packed.mutablePrefix(block.count)) {
        payload = packed.prefix(count)
      }
    } catch {
      throw .archive(error)
    }
    try put(ContainerFraming.blockHeader(raw: block.count, stored: payload.count))
    try put(payload)
  }

  func finish() throws(ArchiveWriteFailure<SinkFailure>) { try start() }

  private func start() throws(ArchiveWriteFailure<SinkFailure>) {
    guard !hasStarted else { return }
    hasStarted = true
    try put(ContainerFraming.archiveHeader(codec, blockSize: blockSize))
  }

  private func put(_ bytes: [UInt8]) throws(ArchiveWriteFailure<SinkFailure>) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(ArchiveWriteFailure<SinkFailure>) in try put(raw) }
    }
    try result.get()
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>) {
    do throws(SinkFailure) {
      try sink(bytes)
    } catch {
      throw .sink(error)
    }
  }
}
