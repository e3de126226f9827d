/// Where an archive's bytes come from, read once from front to back.
package protocol ArchiveSource {
  /// Fills the front of `buffer`, which is not empty. Returns how many bytes it wrote, 0 only at the end.
  ///
  /// Throws `ArchiveFailure.source` with the reason when the bytes cannot be read.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveFailure) -> Int

  /// Bytes of the whole archive, when known; sizes in the archive are then checked against it before memory is taken.
  var length: Int64? { get }
}

/// An archive in memory.
package struct MemorySource: ArchiveSource {
  private let bytes: [UInt8]
  private var position = 0
  /// Most bytes that one read returns, so that tests can see how a reader copes with small pieces.
  private let pieceSize: Int

  package init(_ bytes: [UInt8], pieceSize: Int = .max) {
    self.bytes = bytes
    self.pieceSize = max(pieceSize, 1)
  }

  package var length: Int64? { Int64(bytes.count) }

  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveFailure) -> Int {
    let count = min(buffer.count, pieceSize, bytes.count - position)
    guard count > 0, let target = buffer.baseAddress else { return 0 }
    let start = position
    bytes.withUnsafeBytes { all in
      if let base = all.baseAddress { target.copyMemory(from: base + start, byteCount: count) }
    }
    position += count
    return count
  }
}
