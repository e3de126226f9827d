/// The decoded entry stream, in chunks: a block at a time from a container, a mebibyte at a time from a bare stream.
///
/// Memory: one block decoded and, in a container, one block as stored.
struct EntryStream<Source: ArchiveSource>: ~Copyable {
  private var input: ArchiveInput<Source>
  private var decoder: BlockDecoder?
  private let limits: ArchiveLimits
  private var decoded = ByteBuffer(capacity: 1)
  private var stored = ByteBuffer(capacity: 1)
  private var decodedTotal: Int64 = 0
  private var blockIndex = 0
  private var lastRawSize = 0
  let container: ArchiveContainer
  /// The first block, counted from 0, that is shorter than the block size although others follow it.
  private(set) var shortBlock: Int?

  private static var bareChunkSize: Int { 1 << 20 }

  /// Recognises the format; throws for a foreign one by its name.
  init(_ source: consuming Source, _ limits: ArchiveLimits) throws(ArchiveFailure) {
    var input = try ArchiveInput(source)
    let head = input.head
    guard !head.isEmpty else { throw .emptyFile }
    guard head.count >= 4 else { throw .tooShort(bytes: head.count) }
    switch SniffedFormat(head) {
    case .foreign(let format): throw .foreignFormat(format)
    case .entries:
      container = ArchiveContainer(codec: .none, blockSize: 0)
      decoder = nil
    case .blocks(let codec):
      let header = ByteBuffer(capacity: 12)
      guard try input.fill(header.mutablePrefix(12)) == 12 else { throw .truncatedContainerHeader }
      let blockSize = UInt64(bigEndian: header.start.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      guard let size = Int(exactly: blockSize), size >= 1, size <= limits.blockSize else {
        throw .blockSize(blockSize, limit: limits.blockSize)
      }
      container = ArchiveContainer(codec: codec, blockSize: size)
      decoder = BlockDecoder(codec)
    }
    self.input = input
    self.limits = limits
  }

  /// The next bytes of the entry stream; empty at its end. They stay valid until the next call.
  mutating func next() throws(ArchiveFailure) -> UnsafeRawBufferPointer {
    guard !limits.isExpired() else { throw .deadlineExpired }
    return container.codec == .none ? try nextBareChunk() : try nextBlock()
  }

  private mutating func nextBareChunk() throws(ArchiveFailure) -> UnsafeRawBufferPointer {
    decoded.reserve(Self.bareChunkSize)
    let count = try input.fill(decoded.mutablePrefix(Self.bareChunkSize))
    try account(count)
    return decoded.prefix(count)
  }

  private mutating func nextBlock() throws(ArchiveFailure) -> UnsafeRawBufferPointer {
    let headerByteCount = 16
    stored.reserve(headerByteCount)
    let headerRead = try input.fill(stored.mutablePrefix(headerByteCount))
    guard headerRead > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    guard headerRead == headerByteCount else { throw .truncatedBlockHeader(block: blockIndex, bytes: headerRead) }
    let rawField = UInt64(bigEndian: stored.start.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    let storedField = UInt64(bigEndian: stored.start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    guard let rawSize = Int(exactly: rawField), rawSize >= 1, rawSize <= container.blockSize else {
      throw .blockRawSize(rawField, block: blockIndex, blockSize: container.blockSize)
    }
    guard let storedSize = Int(exactly: storedField), storedSize >= 1, storedSize <= container.blockSize else {
      throw .blockStoredSize(storedField, block: blockIndex, blockSize: container.blockSize)
    }
    if let remaining = input.remaining, Int64(storedSize) > remaining {
      throw .truncatedBlock(block: blockIndex, expected: storedSize, found: Int(clamping: remaining))
    }
    try account(rawSize)
    if blockIndex > 0, lastRawSize < container.blockSize, shortBlock == nil { shortBlock = blockIndex - 1 }
    lastRawSize = rawSize

    decoded.reserve(rawSize)
    if storedSize == rawSize {
      // A plain copy, even if it looks compressed.
      let found = try input.fill(decoded.mutablePrefix(rawSize))
      guard found == rawSize else { throw .truncatedBlock(block: blockIndex, expected: rawSize, found: found) }
    } else {
      stored.reserve(storedSize)
      let found = try input.fill(stored.mutablePrefix(storedSize))
      guard found == storedSize else { throw .truncatedBlock(block: blockIndex, expected: storedSize, found: found) }
      do throws(CodecFault) {
        try decoder?.decode(stored.prefix(storedSize), into: decoded.mutablePrefix(rawSize))
      } catch {
        throw .corruptBlock(block: blockIndex, codec: container.codec, error)
      }
    }
    blockIndex += 1
    return decoded.prefix(rawSize)
  }

  private mutating func account(_ count: Int) throws(ArchiveFailure) {
    let (total, overflow) = decodedTotal.addingReportingOverflow(Int64(count))
    guard !overflow, total <= limits.decodedBytes else { throw .decodedBytesLimit(limits.decodedBytes) }
    decodedTotal = total
  }
}
