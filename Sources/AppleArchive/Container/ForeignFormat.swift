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
