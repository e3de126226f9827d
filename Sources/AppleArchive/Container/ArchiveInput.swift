/// A source with its first bytes put back, that counts what is left.
struct ArchiveInput<Source: ArchiveSource>: ~Copyable {
  private var source: Source
  private let prefix: ByteBuffer
  private let prefixCount: Int
  private var prefixOffset = 0
  /// Bytes read so far, without the part of the prefix that is still to come.
  private(set) var position: Int64 = 0

  /// Reads as many bytes as telling the format needs.
  init(_ source: consuming Source) throws(ArchiveFailure) {
    var reading = source
    let buffer = ByteBuffer(capacity: SniffedFormat.byteCount)
    var count = 0
    while count < buffer.capacity {
      let piece = try reading.read(
        into: UnsafeMutableRawBufferPointer(
          start: buffer.start + count, count: buffer.capacity - count))
      guard piece > 0 else { break }
      guard piece <= buffer.capacity - count else { throw .source("it returned more bytes than it was asked for") }
      count += piece
    }
    self.source = reading
    prefix = buffer
    prefixCount = count
  }

  /// The file's first bytes, at most `SniffedFormat.byteCount`.
  var head: UnsafeRawBufferPointer { prefix.prefix(prefixCount) }

  /// Bytes that are still to come, when the source knows its length.
  var remaining: Int64? { source.length.map { max($0 - position, 0) } }

  /// Fills as much of `buffer` as the source has; less than `buffer.count` only at the end.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(ArchiveFailure) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    var count = 0
    if prefixOffset < prefixCount {
      count = min(prefixCount - prefixOffset, buffer.count)
      start.copyMemory(from: prefix.start + prefixOffset, byteCount: count)
      prefixOffset += count
    }
    while count < buffer.count {
      let wanted = buffer.count - count
      let piece = try source.read(into: UnsafeMutableRawBufferPointer(start: start + count, count: wanted))
      guard piece > 0 else { break }
      guard piece <= wanted else { throw .source("it returned more bytes than it was asked for") }
      count += piece
    }
    position += Int64(count)
    return count
  }
}
