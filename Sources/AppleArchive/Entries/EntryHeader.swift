import Digests

/// The fields of one entry header, parsed but not yet judged. Texts point into the header's bytes.
struct EntryHeader {
  struct Blob {
    let key: FieldKey
    let byteCount: UInt64
  }

  struct Checksum {
    let algorithm: Digest.Algorithm
    let value: [UInt8]
  }

  /// Counted from 0.
  let index: Int
  private(set) var type: UInt8?
  private(set) var path: UnsafeRawBufferPointer?
  private(set) var link: UnsafeRawBufferPointer?
  private(set) var mode: UInt64?
  private(set) var size: UInt64?
  private(set) var modified: ArchiveTime?
  private(set) var checksums: [Checksum] = []
  /// The blobs that follow the header, in the order of their fields.
  private(set) var blobs: [Blob] = []

  /// Parses the bytes after the header's first six.
  init(_ bytes: UnsafeRawBufferPointer, index: Int, _ limits: ArchiveLimits) throws(ArchiveFailure) {
    self.index = index
    var seen: [UInt32] = []
    var offset = 0
    while offset < bytes.count {
      guard bytes.count - offset >= 4 else { throw .truncatedField(entry: index) }
      let key = FieldKey(bytes[offset], bytes[offset + 1], bytes[offset + 2])
      let letter = bytes[offset + 3]
      offset += 4
      guard let type = FieldType(letter) else {
        throw .unknownFieldType(key: key.name, type: Self.name(of: letter), entry: index)
      }
      guard !seen.contains(key.value) else { throw .duplicateField(key: key.name, entry: index) }
      guard seen.count < limits.fieldsPerHeader else {
        throw .tooManyFields(limit: limits.fieldsPerHeader, entry: index)
      }
      seen.append(key.value)
      var byteCount = type.fixedByteCount
      guard byteCount <= bytes.count - offset else { throw .truncatedField(entry: index) }
      if case .text = type {
        offset += 2
        byteCount = Int(Self.unsigned(bytes, offset - 2, 2))
        guard byteCount <= bytes.count - offset else { throw .truncatedField(entry: index) }
      }
      try take(key, type, letter, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount]))
      offset += byteCount
    }
  }

  private mutating func take(
    _ key: FieldKey, _ type: FieldType, _ letter: UInt8, _ value: UnsafeRawBufferPointer
  ) throws(ArchiveFailure) {
    let number = Self.unsigned(value, 0, min(value.count, 8))
    if case .blob = type { blobs.append(Blob(key: key, byteCount: number)) }
    switch (key, type) {
    case (.type, .unsigned):
      guard let letter = UInt8(exactly: number) else { throw .unsupportedEntryType(String(number), entry: index) }
      self.type = letter
    case (.path, .text): path = value
    case (.link, .text): link = value
    case (.mode, .unsigned): mode = number
    case (.size, .unsigned): size = number
    case (.user, .unsigned), (.group, .unsigned): break
    case (.modified, .seconds): modified = ArchiveTime(seconds: Int64(bitPattern: number))
    case (.modified, .nanoseconds):
      guard let nanoseconds = UInt32(exactly: Self.unsigned(value, 8, 4)), nanoseconds < 1_000_000_000 else {
        throw .fieldValue(key: key.name, entry: index)
      }
      modified = ArchiveTime(seconds: Int64(bitPattern: number), nanoseconds: nanoseconds)
    case (.data, .blob), (.extendedAttributes, .blob), (.accessControl, .blob): break
    case (.sha1, .hash(20)): checksums.append(Checksum(algorithm: .sha1, value: Array(value)))
    case (.sha256, .hash(32)): checksums.append(Checksum(algorithm: .sha256, value: Array(value)))
    case (.sha384, .hash(48)): checksums.append(Checksum(algorithm: .sha384, value: Array(value)))
    case (.sha512, .hash(64)): checksums.append(Checksum(algorithm: .sha512, value: Array(value)))
    case (.type, _), (.path, _), (.link, _), (.mode, _), (.size, _), (.user, _), (.group, _), (.modified, _),
      (.data, _), (.extendedAttributes, _), (.accessControl, _), (.sha1, _), (.sha256, _), (.sha384, _), (.sha512, _):
      throw .wrongFieldType(key: key.name, type: Self.name(of: letter), entry: index)
    default: break  // an unknown key is skipped, and its blob later
    }
  }

  /// A byte for people: the letter itself when it can be printed.
  static func name(of byte: UInt8) -> String {
    (0x21...0x7e).contains(byte) ? String(UnicodeScalar(byte)) : "0x" + String(byte, radix: 16)
  }

  /// `count` ≤ 8 bytes at `offset` as a little-endian number; the caller has checked that they are there.
  private static func unsigned(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return value
  }
}

private func ~= (pattern: FieldKey, value: FieldKey) -> Bool {
  pattern == value
}
