/// How the writer stores its blocks.
package enum ArchiveWriterCodec: String, Sendable, CaseIterable {
  /// zlib streams with their Adler-32 (`pbzz`).
  case zlib
  /// Plain copies (`pbz-`).
  case stored

  /// The fourth byte of the container's mark.
  var letter: UInt8 {
    switch self {
    case .zlib: UInt8(ascii: "z")
    case .stored: UInt8(ascii: "-")
    }
  }
}
