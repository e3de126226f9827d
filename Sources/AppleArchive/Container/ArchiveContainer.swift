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
