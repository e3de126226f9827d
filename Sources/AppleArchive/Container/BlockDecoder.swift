/// The decoder of a container's blocks, with the memory it keeps between them.
enum BlockDecoder: ~Copyable {
  case lzfse(LZFSEDecoder)
  case zlib(ZlibDecoder)
  case lz4
  /// Every block is a plain copy.
  case stored

  init(_ codec: ArchiveContainer.Codec) {
    switch codec {
    case .lzfse: self = .lzfse(LZFSEDecoder())
    case .zlib: self = .zlib(ZlibDecoder())
    case .lz4: self = .lz4
    case .stored, .none: self = .stored
    }
  }

  /// Decodes one block's payload, which must give exactly `output.count` bytes.
  func decode(
    _ payload: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CodecFault) {
    switch self {
    case .lzfse(let decoder): try decoder.decode(payload, into: output)
    case .zlib(let decoder): try decoder.decode(payload, into: output)
    case .lz4: try LZ4Decoder.decode(payload, into: output)
    case .stored: throw .malformed
    }
  }
}

/// What wraps the entry stream.
package struct ArchiveContainer: Sendable, Equatable {
  package enum Codec: String, Sendable {
    case lzfse, zlib, lz4, stored
    /// A bare entry stream: no blocks.
    case none
  }

  package let codec: Codec
  /// Bytes that every block but the last decodes to; 0 for a bare entry stream.
  package let blockSize: Int
}
