import CZlib

/// The gzip format (RFC 1952), for manifests; packs are never encoded.
enum Gzip {
  /// The compressed bytes, the same for the same input; nil when memory is short.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 16 above the window's bits selects the gzip wrapper; its time field stays 0.
    guard packhouse_deflate_init2(&stream, 9, 15 + 16, 9) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let count = UInt32(exactly: bytes.count) else { return nil }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(count))))
    var input = bytes
    let written = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target -> Int? in
        stream.next_in = source.baseAddress
        stream.avail_in = count
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : nil
      }
    }
    guard let written else { return nil }
    return Array(output[0..<written])
  }
}
