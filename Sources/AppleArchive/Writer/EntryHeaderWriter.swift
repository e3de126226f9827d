/// Builds the header of one entry, with the fields in the order of Apple's `aa`.
struct EntryHeaderWriter {
  private var bytes: [UInt8] = Array("AA01".utf8) + [0, 0]

  /// A header of a checked path, so that it always fits its u16 size. `size` is nil for directories.
  static func header(
    _ type: ArchiveEntryType, _ path: ArchivePath, mode: UInt16, modified: ArchiveTime, size: Int64?
  ) -> [UInt8] {
    var header = EntryHeaderWriter()
    header.unsigned("TYP", UInt64(type == .file ? UInt8(ascii: "F") : UInt8(ascii: "D")))
    header.text("PAT", path.text)
    header.unsigned("UID", 0)
    header.unsigned("GID", 0)
    header.unsigned("MOD", UInt64(mode & 0o777))
    header.time("MTM", modified)
    if let size { header.blob("DAT", size.magnitude) }
    return header.finished
  }

  /// An unsigned field in as few bytes as hold the value.
  private mutating func unsigned(_ key: String, _ value: UInt64) {
    switch value {
    case ...0xff: field(key, "1", value, 1)
    case ...0xffff: field(key, "2", value, 2)
    case ...0xffff_ffff: field(key, "4", value, 4)
    default: field(key, "8", value, 8)
    }
  }

  private mutating func text(_ key: String, _ value: String) {
    field(key, "P", UInt64(value.utf8.count), 2)
    bytes += value.utf8
  }

  private mutating func time(_ key: String, _ value: ArchiveTime) {
    field(key, "T", UInt64(bitPattern: value.seconds), 8)
    number(UInt64(value.nanoseconds), 4)
  }

  private mutating func blob(_ key: String, _ size: UInt64) {
    switch size {
    case ...0xffff: field(key, "A", size, 2)
    case ...0xffff_ffff: field(key, "B", size, 4)
    default: field(key, "C", size, 8)
    }
  }

  private mutating func field(_ key: String, _ type: String, _ value: UInt64, _ byteCount: Int) {
    bytes += key.utf8
    bytes += type.utf8
    number(value, byteCount)
  }

  private mutating func number(_ value: UInt64, _ byteCount: Int) {
    for index in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  private var finished: [UInt8] {
    var whole = bytes
    whole[4] = UInt8(truncatingIfNeeded: whole.count)
    whole[5] = UInt8(truncatingIfNeeded: whole.count >> 8)
    return whole
  }
}

/// The headers of a compressed container: one for the archive and one for each block, all numbers big-endian.
package enum ContainerFraming {
  /// The archive's first 12 bytes: `pbz`, the codec's letter, the block size.
  package static func archiveHeader(_ codec: ArchiveWriterCodec, blockSize: Int) -> [UInt8] {
    Array("pbz".utf8) + [codec.letter] + bigEndian(blockSize)
  }

  /// The 16 bytes before a block: decoded and stored length.
  package static func blockHeader(raw: Int, stored: Int) -> [UInt8] { bigEndian(raw) + bigEndian(stored) }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
