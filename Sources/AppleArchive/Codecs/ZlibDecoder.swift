import CZlib

/// Decodes zlib payloads as Apple's tools write them: two header bytes, a raw deflate stream that ends at exactly the
/// block's raw size, then nothing or a four-byte Adler-32. (Apple's packer leaves the checksum out, so it is not
/// checked.)
struct ZlibDecoder: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
  }

  deinit {
    inflateEnd(stream)  // does nothing to a stream that was never initialised
    stream.deallocate()
  }

  /// Decodes `payload`, which must give exactly `output.count` bytes.
  func decode(_ payload: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CodecFault) {
    guard let start = payload.baseAddress, payload.count > 2, let base = output.baseAddress else { throw .truncated }
    // RFC 1950: method 8, a check value that makes the two bytes a multiple of 31, no preset dictionary.
    let head = (start.byte() << 8) | start.byte(1)
    guard head & 0x0f00 == 0x0800, head % 31 == 0, head & 0x20 == 0 else { throw .malformed }
    guard let input = UInt32(exactly: payload.count - 2), let room = UInt32(exactly: output.count) else {
      throw .malformed
    }
    if stream.pointee.state != nil {
      guard inflateReset(stream) == Z_OK else { throw .outOfMemory }
    } else {
      guard packhouse_inflate_init2(stream, -15) == Z_OK else { throw .outOfMemory }
    }
    // zlib never writes through next_in; the cast only meets its type.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: (start + 2).assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = input
    stream.pointee.next_out = base.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = room
    let status = inflate(stream, Z_FINISH)
    let left = stream.pointee.avail_in
    let missing = stream.pointee.avail_out
    stream.pointee.next_in = nil
    stream.pointee.next_out = nil
    switch status {
    case Z_STREAM_END:
      guard missing == 0 else { throw .tooShort }
      guard left == 0 || left == 4 else { throw .trailingBytes }
    case Z_BUF_ERROR, Z_OK:
      if missing == 0 { throw .tooLong }
      throw .truncated
    case Z_MEM_ERROR:
      throw .outOfMemory
    default:
      throw .malformed
    }
  }
}
