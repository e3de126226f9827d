/// Writes an archive of files and directories. The same calls always give the same bytes (with the same zlib).
///
/// Call `directory` and `beginFile`, `fileBytes`, `endFile` in the order that the entries shall have, then `finish`.
/// After a failure the output is of no use.
/// Memory: a block and the paths, and what compresses the blocks needs.
package struct ArchiveWriter<SinkFailure: Error>: ~Copyable {
  package typealias Failure = ArchiveWriteFailure<SinkFailure>

  private struct OpenFile {
    let path: ArchivePath
    let size: Int64
    var given: Int64
  }

  private var blocks: BlockCutter<SinkFailure>
  private let limits: ArchiveLimits
  private var tree: PathTree
  private var file: OpenFile?
  private var isFinished = false

  /// Bytes that each block but the last stands for, when not told otherwise: 1 MiB, as Apple's packer makes them.
  package static var defaultBlockSize: Int { 1 << 20 }

  /// `sink` takes the archive's bytes in order; they are valid during the call only. `blockSize` is brought into
  /// 1 … `limits.blockSize`. Paths must meet the limits. The blocks are compressed on the calling thread.
  package init(
    codec: ArchiveWriterCodec = .lzfse, blockSize: Int = defaultBlockSize, limits: ArchiveLimits = ArchiveLimits(),
    sink: @escaping (UnsafeRawBufferPointer) throws(SinkFailure) -> Void
  ) {
    let blockSize = Self.allowed(blockSize, limits)
    self.init(blockSize: blockSize, limits: limits, blocks: SerialBlockCompressor(codec, blockSize: blockSize, sink))
  }

  /// Gives uncompressed blocks of `blockSize` bytes to `blocks`, which compresses them; it must have been told of the
  /// same size, 1 … `limits.blockSize`.
  package init(
    blockSize: Int = defaultBlockSize, limits: ArchiveLimits = ArchiveLimits(), blocks: any BlockSink<SinkFailure>
  ) {
    self.blocks = BlockCutter(blockSize: Self.allowed(blockSize, limits), blocks)
    var limits = limits
    limits.pathBytes = min(limits.pathBytes, 32_767)  // a header has at most 65,535 bytes
    self.limits = limits
    tree = PathTree(limit: limits.entries)
  }

  private static func allowed(_ blockSize: Int, _ limits: ArchiveLimits) -> Int {
    max(min(blockSize, limits.blockSize), 1)
  }

  /// Adds a directory; the empty path stands for the root. `mode` counts with its nine permission bits.
  package mutating func directory(
    _ path: String, mode: UInt16 = 0o755, modified: ArchiveTime
  ) throws(Failure) {
    let path = try begin(path, .directory)
    try append(EntryHeaderWriter.header(.directory, path, mode: mode, modified: modified, size: nil))
  }

  /// Begins a file of exactly `size` bytes, which follow in `fileBytes`.
  package mutating func beginFile(
    _ path: String, size: Int64, mode: UInt16 = 0o644, modified: ArchiveTime
  ) throws(Failure) {
    guard size >= 0 else { throw .archive(.writerOutOfOrder("a file cannot have \(size) bytes")) }
    let path = try begin(path, .file)
    try append(EntryHeaderWriter.header(.file, path, mode: mode, modified: modified, size: size))
    file = OpenFile(path: path, size: size, given: 0)
  }

  /// The next bytes of the file that was begun. Throws `writerFileSize` when they are more than announced.
  package mutating func fileBytes(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard var current = file else { throw .archive(.writerOutOfOrder("file bytes came outside a file")) }
    let (given, overflow) = current.given.addingReportingOverflow(Int64(bytes.count))
    guard !overflow, given <= current.size else {
      throw .archive(
        .writerFileSize(path: current.path.escaped, announced: current.size, given: overflow ? .max : given))
    }
    current.given = given
    file = current
    try blocks.append(bytes)
  }

  /// Ends the file. Throws `writerFileSize` when fewer bytes came than announced.
  package mutating func endFile() throws(Failure) {
    guard let current = file else { throw .archive(.writerOutOfOrder("a file ended that had not begun")) }
    guard current.given == current.size else {
      throw .archive(
        .writerFileSize(path: current.path.escaped, announced: current.size, given: current.given))
    }
    file = nil
  }

  /// Writes what is left. Nothing may follow.
  package mutating func finish() throws(Failure) {
    guard file == nil, !isFinished else {
      throw .archive(.writerOutOfOrder(isFinished ? "it was finished twice" : "a file had not ended"))
    }
    isFinished = true
    try blocks.finish()
  }

  private mutating func begin(_ text: String, _ type: ArchiveEntryType) throws(Failure) -> ArchivePath {
    guard file == nil, !isFinished else {
      throw .archive(.writerOutOfOrder("an entry began before the one before it ended, or after the end"))
    }
    let path: ArchivePath
    do throws(PathFault) {
      path = try ArchivePath(text, limits)
      guard !path.isRoot || type == .directory else { throw .empty }
    } catch {
      let bytes = Array(text.utf8)
      throw .archive(.path(bytes.withUnsafeBytes { escapedPath($0) }, error))
    }
    do throws(ArchiveFailure) {
      try tree.insert(path, type)
    } catch {
      throw .archive(error)
    }
    return path
  }

  private mutating func append(_ bytes: [UInt8]) throws(Failure) {
    let result = bytes.withUnsafeBytes { raw in Result { () throws(Failure) in try blocks.append(raw) } }
    try result.get()
  }
}

/// How the writer stores its blocks.
package enum ArchiveWriterCodec: String, Sendable, CaseIterable {
  /// LZFSE payloads (`pbze`), as Apple's packer writes them.
  case lzfse
  /// zlib streams with their Adler-32 (`pbzz`).
  case zlib
  /// Plain copies (`pbz-`).
  case stored

  /// The fourth byte of the container's mark.
  var letter: UInt8 {
    switch self {
    case .lzfse: UInt8(ascii: "e")
    case .zlib: UInt8(ascii: "z")
    case .stored: UInt8(ascii: "-")
    }
  }
}

/// Why an archive could not be written: a fault of its content, or of the place it is written to.
package enum ArchiveWriteFailure<SinkFailure: Error>: Error {
  case archive(ArchiveFailure)
  case sink(SinkFailure)
}
