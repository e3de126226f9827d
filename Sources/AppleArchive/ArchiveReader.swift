/// Reads an archive once from front to back and hands its entries and file data to a visitor.
///
/// Memory: one block decoded, one block as stored, a header (64 KiB) and about 150 bytes per distinct path component;
/// never a whole file. Nothing that is read can make it trap.
package struct ArchiveReader<Source: ArchiveSource>: ~Copyable {
  private var stream: EntryStream<Source>
  private let limits: ArchiveLimits
  private var judge: EntryJudge
  private var warningList: WarningList
  private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
  private let header = ByteBuffer(capacity: 1 << 16)
  private var headerTotal = 0
  private var entryIndex = 0

  /// Recognises the container. Throws `foreignFormat` and its like for files that are not such archives.
  package init(_ source: consuming Source, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveFailure) {
    stream = try EntryStream(source, limits)
    self.limits = limits
    judge = EntryJudge(limits)
    warningList = WarningList(limit: limits.warnings)
  }

  package var container: ArchiveContainer { stream.container }

  /// What was found so far that deserves a look.
  package var warnings: [ArchiveWarning] { warningList.all }

  /// Reads to the archive's end. Throws at the first rule that is broken; what the visitor was given before is then not
  /// to be trusted as a whole.
  package mutating func read<Visitor: ArchiveVisitor & ~Copyable>(_ visitor: inout Visitor) throws(ArchiveFailure) {
    try visitor.container(stream.container)
    while let header = try nextHeader() {
      if entryIndex & 63 == 0, limits.isExpired() { throw .deadlineExpired }
      guard entryIndex < limits.entries else { throw .entriesLimit(limits.entries) }
      let entry = try judge.judge(header, &warningList)
      try checkBlobSizes(header, entry)
      try visitor.entry(entry)
      for blob in header.blobs { try readBlob(blob, header, entry, &visitor) }
      if entry.type == .file { try visitor.fileEnd() }
      entryIndex += 1
    }
    guard entryIndex > 0 else { throw .noEntries }
    if let block = stream.shortBlock { warningList.append(.shortBlock(block)) }
  }

  /// Sizes are judged before any of the data is read; each is at most what the whole archive may decode to.
  private func checkBlobSizes(_ header: EntryHeader, _ entry: ArchiveEntry) throws(ArchiveFailure) {
    for blob in header.blobs {
      if blob.key == .extendedAttributes || blob.key == .accessControl {
        guard blob.byteCount <= UInt64(clamping: limits.attributeBytes) else {
          throw .attributeBytesLimit(limits.attributeBytes, path: entry.path.escaped)
        }
      }
      guard blob.byteCount <= UInt64(clamping: limits.decodedBytes) else {
        throw .decodedBytesLimit(limits.decodedBytes)
      }
    }
  }

  private mutating func readBlob<Visitor: ArchiveVisitor & ~Copyable>(
    _ blob: EntryHeader.Blob, _ header: EntryHeader, _ entry: ArchiveEntry, _ visitor: inout Visitor
  ) throws(ArchiveFailure) {
    guard blob.key != .data else { return try readFile(blob, header, entry, &visitor) }
    var attributes = ExtendedAttributeCheck()
    var left = blob.byteCount
    while left > 0 {
      let piece = try nextPiece(atMost: left)
      left -= UInt64(piece.count)
      if blob.key == .extendedAttributes, !attributes.isValid(piece) {
        throw .extendedAttributes(path: entry.path.escaped)
      }
    }
    guard attributes.isComplete else { throw .extendedAttributes(path: entry.path.escaped) }
  }

  private mutating func readFile<Visitor: ArchiveVisitor & ~Copyable>(
    _ blob: EntryHeader.Blob, _ header: EntryHeader, _ entry: ArchiveEntry, _ visitor: inout Visitor
  ) throws(ArchiveFailure) {
    let checks = ChecksumCheck(header.checksums)
    var left = blob.byteCount
    while left > 0 {
      let piece = try nextPiece(atMost: left)
      left -= UInt64(piece.count)
      checks.update(piece)
      try visitor.fileBytes(piece)
    }
    if let algorithm = try checks.mismatch() {
      throw .checksumMismatch(path: entry.path.escaped, algorithm: algorithm.rawValue)
    }
  }

  /// The next header, or nil where the archive ends between two entries. Its texts are valid until the next call.
  private mutating func nextHeader() throws(ArchiveFailure) -> EntryHeader? {
    let prefixByteCount = 6
    guard try fillHeader(from: 0, to: prefixByteCount) else { return nil }
    let magic = header.start.loadUnaligned(as: UInt32.self)
    guard magic == UInt32(littleEndian: 0x3130_4141) || magic == UInt32(littleEndian: 0x3141_4159) else {
      throw .entryMagic(entry: entryIndex)
    }
    let size = UnsafeRawPointer(header.start).word16(4)
    guard size >= prefixByteCount else { throw .entryHeaderSize(size, entry: entryIndex) }
    headerTotal += size
    guard headerTotal <= limits.headerBytes else { throw .headerBytesLimit(limits.headerBytes) }
    guard try fillHeader(from: prefixByteCount, to: size) else { throw .truncatedEntry(entry: entryIndex) }
    let fields = UnsafeRawBufferPointer(rebasing: header.prefix(size)[prefixByteCount...])
    return try EntryHeader(fields, index: entryIndex, limits)
  }

  /// Copies stream bytes into the header buffer. False when the stream ends before the first of them.
  private mutating func fillHeader(from start: Int, to end: Int) throws(ArchiveFailure) -> Bool {
    var offset = start
    while offset < end {
      if chunk.isEmpty {
        chunk = try stream.next()
        guard !chunk.isEmpty else {
          guard offset == 0 else { throw .truncatedEntry(entry: entryIndex) }
          return false
        }
      }
      let count = min(end - offset, chunk.count)
      if let source = chunk.baseAddress { (header.start + offset).copyMemory(from: source, byteCount: count) }
      chunk = UnsafeRawBufferPointer(rebasing: chunk[count...])
      offset += count
    }
    return true
  }

  /// The next bytes of the stream, at least one.
  private mutating func nextPiece(atMost count: UInt64) throws(ArchiveFailure) -> UnsafeRawBufferPointer {
    if chunk.isEmpty { chunk = try stream.next() }
    guard !chunk.isEmpty else { throw .truncatedEntry(entry: entryIndex) }
    let size = min(chunk.count, Int(clamping: count))
    let piece = UnsafeRawBufferPointer(rebasing: chunk[..<size])
    chunk = UnsafeRawBufferPointer(rebasing: chunk[size...])
    return piece
  }
}

/// Receives an archive's content in the order of the archive. Throwing ends the reading with that failure.
package protocol ArchiveVisitor: ~Copyable {
  /// The container was recognised. Comes first.
  mutating func container(_ container: ArchiveContainer) throws(ArchiveFailure)

  /// An entry begins; its path and type passed every rule of the format.
  mutating func entry(_ entry: ArchiveEntry) throws(ArchiveFailure)

  /// The next bytes of the file whose entry came last. `bytes` is valid during the call only.
  mutating func fileBytes(_ bytes: UnsafeRawBufferPointer) throws(ArchiveFailure)

  /// The file whose entry came last is complete and its checksums match. Comes once for each file, also for empty ones.
  mutating func fileEnd() throws(ArchiveFailure)
}
