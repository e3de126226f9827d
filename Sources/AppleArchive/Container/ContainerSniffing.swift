/// What a file's first bytes say it is.
enum SniffedFormat: Equatable {
  /// A block container with this codec.
  case blocks(ArchiveContainer.Codec)
  /// A bare entry stream.
  case entries
  case foreign(ForeignFormat)

  /// How many bytes the decision may need: tar has its mark at 257.
  static let byteCount = 512

  /// `prefix` holds the first `byteCount` bytes of the file, or all of a shorter one, and at least 4 bytes.
  init(_ prefix: UnsafeRawBufferPointer) {
    func starts(_ mark: String) -> Bool { prefix.starts(with: mark.utf8) }
    func starts(_ mark: [UInt8]) -> Bool { prefix.starts(with: mark) }

    if starts("AA01") || starts("YAA1") {
      self = .entries
    } else if starts("pbz"), prefix.count > 3 {
      switch prefix[3] {
      case UInt8(ascii: "e"): self = .blocks(.lzfse)
      case UInt8(ascii: "z"): self = .blocks(.zlib)
      case UInt8(ascii: "4"): self = .blocks(.lz4)
      case UInt8(ascii: "-"): self = .blocks(.stored)
      case UInt8(ascii: "x"): self = .foreign(.xzBlocks)
      case UInt8(ascii: "b"): self = .foreign(.lzbitmapBlocks)
      case UInt8(ascii: "f"): self = .foreign(.lzvnBlocks)
      default: self = .foreign(.unknownBlocks)
      }
    } else if starts("AEA1") {
      self = .foreign(.encrypted)
    } else if starts("PK") {
      self = .foreign(.zip)
    } else if starts([0x1f, 0x8b]) {
      self = .foreign(.gzip)
    } else if starts("BZh") {
      self = .foreign(.bzip2)
    } else if starts([0xfd, 0x37, 0x7a, 0x58, 0x5a]) {
      self = .foreign(.xz)
    } else if starts("bvx") {
      self = .foreign(.bareLZFSE)
    } else if starts("bv4") || starts([0x04, 0x22, 0x4d, 0x18]) {
      self = .foreign(.bareLZ4)
    } else if starts("0707") || starts([0xc7, 0x71]) || starts([0x71, 0xc7]) {
      self = .foreign(.cpio)
    } else if starts("xar!") {
      self = .foreign(.xar)
    } else if Self.isMarkup(prefix) {
      self = .foreign(.html)
    } else if prefix.count >= 262, prefix[257..<262].elementsEqual("ustar".utf8) {
      self = .foreign(.tar)
    } else if prefix[0] & 0x8f == 0x08, (Int(prefix[0]) << 8 | Int(prefix[1])) % 31 == 0 {
      // RFC 1950: method 8 with a window of at most 32 KiB, and a check value.
      self = .foreign(.bareZlib)
    } else {
      self = .foreign(.unknown)
    }
  }

  /// Whether the first byte after white space and a byte order mark is `<`.
  private static func isMarkup(_ prefix: UnsafeRawBufferPointer) -> Bool {
    var bytes = prefix[...]
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    let first = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first == UInt8(ascii: "<")
  }
}
