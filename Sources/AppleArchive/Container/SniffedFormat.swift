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

/// What a file is that is not an archive this reader takes.
package enum ForeignFormat: String, Sendable, Equatable, CaseIterable {
  case encrypted, zip, gzip, bzip2, xz, bareLZFSE, bareLZ4, bareZlib, cpio, tar, xar, html, xzBlocks, lzbitmapBlocks
  case lzvnBlocks, unknownBlocks, unknown

  /// What the file is, as a whole sentence, and what to do about it.
  package var sentence: String {
    let expected = "Build the pack with Apple's ba-package tool or with packhouse pack."
    switch self {
    case .encrypted:
      return "The file is an encrypted or signed Apple Encrypted Archive (AEA1); decrypt it first (aea decrypt)."
    case .zip:
      return "The file is a ZIP archive: an Android library shares the extension .aar with Apple Archive. \(expected)"
    case .gzip: return "The file is gzip data, not an Apple Archive. \(expected)"
    case .bzip2: return "The file is bzip2 data, not an Apple Archive. \(expected)"
    case .xz: return "The file is bare xz data, not an Apple Archive. \(expected)"
    case .bareLZFSE: return "The file is bare LZFSE data without an archive's container. \(expected)"
    case .bareLZ4: return "The file is bare LZ4 data without an archive's container. \(expected)"
    case .bareZlib: return "The file is bare zlib data without an archive's container. \(expected)"
    case .cpio: return "The file is a cpio archive, not an Apple Archive. \(expected)"
    case .tar: return "The file is a tar archive, not an Apple Archive. \(expected)"
    case .xar: return "The file is a xar archive (the form of .pkg and .xip), not an Apple Archive. \(expected)"
    case .html:
      return
        "The file is an HTML or XML page, most likely the error page of a failed download; download the pack again."
    case .xzBlocks:
      return "The archive's blocks are compressed with xz (pbzx), which is not supported; "
        + "archive it again with LZFSE (aa archive -a lzfse)."
    case .lzbitmapBlocks:
      return "The archive's blocks are compressed with LZBITMAP (pbzb), which is not supported; "
        + "archive it again with LZFSE (aa archive -a lzfse)."
    case .lzvnBlocks:
      return "The archive's blocks are compressed with LZVN (pbzf), which is not supported; "
        + "archive it again with LZFSE (aa archive -a lzfse)."
    case .unknownBlocks:
      return "The archive's blocks use an unknown compression (pbz and a letter other than e, z, 4, -), which is not "
        + "supported; archive it again with LZFSE (aa archive -a lzfse)."
    case .unknown:
      return "The file is not an Apple Archive: it starts with none of AA01, YAA1, pbze, pbzz, pbz4, pbz-. \(expected)"
    }
  }
}
