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
