import AppleArchive
import EventLoop

/// The memory for one block that is being compressed, and what came of it.
///
/// `@unchecked Sendable` is safe because a slot has one owner at a time: the packing thread fills it and hands it over
/// through the pool's queue, and does not touch it again before `outcome`, which has a lock, says that the worker has
/// finished.
final class BlockSlot: @unchecked Sendable {
  /// What became of the block: the compressed length, nil when it is stored plain.
  typealias Outcome = Result<Int?, ArchiveFailure>

  private let raw: UnsafeMutableRawBufferPointer
  private let packed: UnsafeMutableRawBufferPointer
  private var compressor: BlockCompressor
  private var rawCount = 0
  private let outcome = Condition<Outcome?>(nil)

  /// For blocks of up to `blockSize` ≥ 1 bytes.
  init(_ codec: ArchiveWriterCodec, blockSize: Int) {
    raw = .allocate(byteCount: blockSize, alignment: 64)
    packed = .allocate(byteCount: blockSize, alignment: 64)
    compressor = BlockCompressor(codec)
  }

  deinit {
    raw.deallocate()
    packed.deallocate()
  }

  /// Takes a copy of a block.
  func fill(_ block: UnsafeRawBufferPointer) {
    rawCount = min(block.count, raw.count)
    raw.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<rawCount]))
    outcome.withLock { $0 = nil }
  }

  /// Compresses the block; this is the worker's part.
  func compress() {
    let block = UnsafeRawBufferPointer(rebasing: raw[..<rawCount])
    let found = Outcome { () throws(ArchiveFailure) in try compressor.compress(block, into: packed) }
    outcome.withLock { $0 = found }
  }

  /// Waits for the worker. Gives the block's length and the bytes to write, which are valid until the next `fill`.
  func payload() throws(ArchiveFailure) -> (rawCount: Int, bytes: UnsafeRawBufferPointer) {
    let found: Outcome = outcome.wait { $0.map { .ready($0) } ?? .wait }
    guard let count = try found.get() else {
      return (rawCount, UnsafeRawBufferPointer(rebasing: raw[..<rawCount]))
    }
    return (rawCount, UnsafeRawBufferPointer(rebasing: packed[..<count]))
  }
}
