/// The four letters that begin a block of an LZFSE payload, as a little-endian number.
enum LZFSEMark {
  /// `bvx$`, the end.
  static let end: UInt32 = 0x2478_7662
  /// `bvx-`, a plain copy.
  static let plain: UInt32 = 0x2d78_7662
  /// `bvxn`, LZVN opcodes.
  static let lzvn: UInt32 = 0x6e78_7662
  /// `bvx2`, finite state entropy.
  static let fse: UInt32 = 0x3278_7662
  /// `bvx1`, which no encoder writes.
  static let fseUncompressedTables: UInt32 = 0x3178_7662
}
