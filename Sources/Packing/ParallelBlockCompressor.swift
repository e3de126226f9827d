import AppleArchive
import EventLoop
import Glibc
import SystemIO

/// Compresses the blocks of an archive on several threads and writes them in order. The bytes are those of
/// `ArchiveWriter` alone, whatever the number of threads.
///
/// Blocks go round a ring of two slots for each thread, so that no more than these are in memory; whoever writes
/// faster than the blocks are compressed waits.
package final class ParallelBlockCompressor<SinkFailure: Error>: BlockSink {
  private let codec: ArchiveWriterCodec
  private let blockSize: Int
  private let sink: (UnsafeRawBufferPointer) throws(SinkFailure) -> Void
  private let pool: WorkerPool
  private let slots: [BlockSlot]
  private var given = 0
  private var written = 0
  private var hasStarted = false

  /// As many threads as there are processors.
  package static var defaultThreads: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// `blockSize` ≥ 1 and the one of the `ArchiveWriter`. `sink` takes the archive's bytes on the thread that calls
  /// `write` and `finish`. `threads` is brought into 1 … 64.
  ///
  /// Throws when the process may not start another thread.
  package init(
    _ codec: ArchiveWriterCodec, blockSize: Int, threads: Int = defaultThreads,
    sink: @escaping (UnsafeRawBufferPointer) throws(SinkFailure) -> Void
  ) throws(SystemFailure) {
    let threads = min(max(threads, 1), 64)
    self.codec = codec
    self.blockSize = blockSize
    self.sink = sink
    slots = (0..<threads * 2).map { _ in BlockSlot(codec, blockSize: blockSize) }
    pool = try WorkerPool(name: "pack", threads: threads, capacity: threads * 2)
  }

  deinit { pool.stop() }

  package func write(_ block: UnsafeRawBufferPointer) throws(ArchiveWriteFailure<SinkFailure>) {
    if given - written == slots.count { try writeOldest() }
    let slot = slots[given % slots.count]
    slot.fill(block)
    given += 1
    // The queue has room for every slot; if it refuses all the same, the work is done here.
    if !pool.submit({ slot.compress() }) { slot.compress() }
  }

  package func finish() throws(ArchiveWriteFailure<SinkFailure>) {
    try start()
    while written < given { try writeOldest() }
    pool.stop()
  }

  private func start() throws(ArchiveWriteFailure<SinkFailure>) {
    guard !hasStarted else { return }
    hasStarted = true
    try put(ContainerFraming.archiveHeader(codec, blockSize: blockSize))
  }

  private func writeOldest() throws(ArchiveWriteFailure<SinkFailure>) {
    try start()
    let rawCount: Int
    let payload: UnsafeRawBufferPointer
    do throws(ArchiveFailure) {
      (rawCount, payload) = try slots[written % slots.count].payload()
    } catch {
      throw .archive(error)
    }
    written += 1
    try put(ContainerFraming.blockHeader(raw: rawCount, stored: payload.count))
    try put(payload)
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

/// The memory for one block that is being compressed, and the result.
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
