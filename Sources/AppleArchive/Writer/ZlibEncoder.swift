import CZlib

/// Compresses blocks to zlib streams (RFC 1950) at one fixed level, so that the same bytes always give the same blocks.
struct ZlibEncoder: ~Copyable {
  private static let level: Int32 = 6
  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    deflateEnd(stream)  // does nothing to a stream that was never initialised
    stream.deallocate()
  }

  /// The compressed bytes' count in `output`, or nil when they do not fit there.
  func encode(
    _ block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ArchiveFailure) -> Int? {
    guard let source = block.baseAddress, let target = output.baseAddress, let count = UInt32(exactly: block.count),
      let room = UInt32(exactly: output.count)
    else { return nil }
    if stream.pointee.state != nil {
      guard deflateReset(stream) == Z_OK else { throw .compressorUnavailable }
    } else {
      guard packhouse_deflate_init2(stream, Self.level, 15, 8) == Z_OK else { throw .compressorUnavailable }
    }
    // zlib never writes through next_in; the cast only meets its type.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: source.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = count
    stream.pointee.next_out = target.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = room
    let status = deflate(stream, Z_FINISH)
    let written = output.count - Int(stream.pointee.avail_out)
    stream.pointee.next_in = nil
    stream.pointee.next_out = nil
    return status == Z_STREAM_END ? written : nil
  }
}
