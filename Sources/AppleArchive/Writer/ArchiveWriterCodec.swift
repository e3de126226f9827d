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
