/// Decodes LZFSE payloads: a row of blocks up to `bvx$`. One decoder serves any number of payloads; it owns the tables
/// and the literal buffer (48 KiB).
///
/// Written here, as is `LZFSEEncoder`, because distributions package no library for LZFSE.
package struct LZFSEDecoder: ~Copyable {
  private let scratch = LZFSEScratch()

  package init() {}

  /// Decodes `payload`, which must give exactly `output.count` bytes and end at its end mark.
  package func decode(_ payload: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CodecFault)
  {
    guard let start = payload.baseAddress, let base = output.baseAddress else { throw .truncated }
    let end = start + payload.count
    var source = start
    var target = DecodeOutput(output, base: base)
    while true {
      guard end - source >= 4 else { throw .truncated }
      switch UInt32(truncatingIfNeeded: source.word32()) {
      case LZFSEMark.end:
        guard end - source == 4 else { throw .trailingBytes }
        guard target.room == 0 else { throw .tooShort }
        return
      case LZFSEMark.plain:
        guard end - source >= 8 else { throw .truncated }
        let raw = source.word32(4)
        source += 8
        guard raw <= end - source else { throw .truncated }
        try target.append(source, raw)
        source += raw
      case LZFSEMark.lzvn:
        guard end - source >= 12 else { throw .truncated }
        let raw = source.word32(4)
        let stored = source.word32(8)
        source += 12
        guard stored <= end - source else { throw .truncated }
        try decodeLZVN(source, source + stored, raw: raw, into: &target)
        source += stored
      case LZFSEMark.fse:
        let header = try LZFSEBlockHeader(source, end)
        try scratch.decode(source, header, into: &target)
        source += header.byteCount
      case LZFSEMark.fseUncompressedTables:
        throw .uncompressedTables
      default:
        throw .unknownMark
      }
    }
  }
}
