/// The headers of a compressed container: one for the archive and one for each block, all numbers big-endian.
package enum ContainerFraming {
  /// The archive's first 12 bytes: `pbz`, the codec's letter, the block size.
  package static func archiveHeader(_ codec: ArchiveWriterCodec, blockSize: Int) -> [UInt8] {
    Array("pbz".utf8) + [codec.letter] + bigEndian(blockSize)
  }

  /// The 16 bytes before a block: decoded and stored length.
  package static func blockHeader(raw: Int, stored: Int) -> [UInt8] { bigEndian(raw) + bigEndian(stored) }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
