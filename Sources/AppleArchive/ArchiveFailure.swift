/// Why an archive is refused, or could not be read or written. Paths in the cases are escaped already.
package enum ArchiveFailure: Error, Equatable, Sendable {
  // The file and its container
  case emptyFile
  case tooShort(bytes: Int)
  case foreignFormat(ForeignFormat)
  case truncatedContainerHeader
  case blockSize(UInt64, limit: Int)
  /// Blocks are counted from 0.
  case truncatedBlockHeader(block: Int, bytes: Int)
  case blockRawSize(UInt64, block: Int, blockSize: Int)
  case blockStoredSize(UInt64, block: Int, blockSize: Int)
  case truncatedBlock(block: Int, expected: Int, found: Int)
  case corruptBlock(block: Int, codec: ArchiveContainer.Codec, CodecFault)

  // Entry headers. Entries are counted from 0.
  case noEntries
  case truncatedEntry(entry: Int)
  case entryMagic(entry: Int)
  case entryHeaderSize(Int, entry: Int)
  case truncatedField(entry: Int)
  case unknownFieldType(key: String, type: String, entry: Int)
  case wrongFieldType(key: String, type: String, entry: Int)
  case fieldValue(key: String, entry: Int)
  case duplicateField(key: String, entry: Int)
  case tooManyFields(limit: Int, entry: Int)
  case missingField(key: String, entry: Int)
  case unsupportedEntryType(String, entry: Int)
  case unexpectedData(path: String)

  // Content
  case deduplicatedFile(path: String)
  case sizeMismatch(path: String, size: UInt64, data: UInt64)
  case checksumMismatch(path: String, algorithm: String)
  case extendedAttributes(path: String)

  // Paths and links
  case path(String, PathFault)
  case link(path: String, target: String, LinkFault)

  // Limits
  case entriesLimit(Int)
  case headerBytesLimit(Int)
  case decodedBytesLimit(Int64)
  case attributeBytesLimit(Int, path: String)
  case deadlineExpired

  // Around the archive
  case source(String)
  case digestUnavailable(String)
  case compressorUnavailable
  case writerFileSize(path: String, announced: Int64, given: Int64)
  case writerOutOfOrder(String)
}

extension ArchiveFailure {
  /// A stable name for programs, in UPPER_SNAKE_CASE.
  package var code: String {
    switch self {
    case .emptyFile: "ARCHIVE_EMPTY_FILE"
    case .tooShort: "ARCHIVE_TOO_SHORT"
    case .foreignFormat(.encrypted): "ARCHIVE_ENCRYPTED"
    case .foreignFormat(.zip): "ARCHIVE_IS_ZIP"
    case .foreignFormat(.xzBlocks), .foreignFormat(.lzbitmapBlocks), .foreignFormat(.lzvnBlocks),
      .foreignFormat(.unknownBlocks):
      "ARCHIVE_COMPRESSION_NOT_SUPPORTED"
    case .foreignFormat: "ARCHIVE_FOREIGN_FORMAT"
    case .truncatedContainerHeader: "ARCHIVE_TRUNCATED_CONTAINER_HEADER"
    case .blockSize: "ARCHIVE_BLOCK_SIZE"
    case .truncatedBlockHeader: "ARCHIVE_TRUNCATED_BLOCK_HEADER"
    case .blockRawSize: "ARCHIVE_BLOCK_RAW_SIZE"
    case .blockStoredSize: "ARCHIVE_BLOCK_STORED_SIZE"
    case .truncatedBlock: "ARCHIVE_TRUNCATED_BLOCK"
    case .corruptBlock: "ARCHIVE_CORRUPT_BLOCK"
    case .noEntries: "ARCHIVE_NO_ENTRIES"
    case .truncatedEntry: "ARCHIVE_TRUNCATED_ENTRY"
    case .entryMagic: "ARCHIVE_ENTRY_MAGIC"
    case .entryHeaderSize: "ARCHIVE_ENTRY_HEADER_SIZE"
    case .truncatedField: "ARCHIVE_TRUNCATED_FIELD"
    case .unknownFieldType: "ARCHIVE_UNKNOWN_FIELD_TYPE"
    case .wrongFieldType: "ARCHIVE_WRONG_FIELD_TYPE"
    case .fieldValue: "ARCHIVE_FIELD_VALUE"
    case .duplicateField: "ARCHIVE_DUPLICATE_FIELD"
    case .tooManyFields: "ARCHIVE_TOO_MANY_FIELDS"
    case .missingField: "ARCHIVE_MISSING_FIELD"
    case .unsupportedEntryType: "ARCHIVE_UNSUPPORTED_ENTRY_TYPE"
    case .unexpectedData: "ARCHIVE_UNEXPECTED_DATA"
    case .deduplicatedFile: "ARCHIVE_DEDUPLICATED_FILE"
    case .sizeMismatch: "ARCHIVE_SIZE_MISMATCH"
    case .checksumMismatch: "ARCHIVE_CHECKSUM_MISMATCH"
    case .extendedAttributes: "ARCHIVE_EXTENDED_ATTRIBUTES"
    case .path(_, .tooLong), .path(_, .componentTooLong), .path(_, .tooDeep): "ARCHIVE_PATH_LIMIT"
    case .path(_, .duplicate), .path(_, .collision): "ARCHIVE_PATH_COLLISION"
    case .path(_, .parentIsFile), .path(_, .parentIsLink): "ARCHIVE_PATH_PARENT"
    case .path: "ARCHIVE_PATH"
    case .link: "ARCHIVE_LINK"
    case .entriesLimit: "ARCHIVE_ENTRIES_LIMIT"
    case .headerBytesLimit: "ARCHIVE_HEADER_BYTES_LIMIT"
    case .decodedBytesLimit: "ARCHIVE_DECODED_BYTES_LIMIT"
    case .attributeBytesLimit: "ARCHIVE_ATTRIBUTE_BYTES_LIMIT"
    case .deadlineExpired: "ARCHIVE_DEADLINE_EXPIRED"
    case .source: "ARCHIVE_SOURCE"
    case .digestUnavailable: "ARCHIVE_DIGEST_UNAVAILABLE"
    case .compressorUnavailable: "ARCHIVE_COMPRESSOR_UNAVAILABLE"
    case .writerFileSize: "ARCHIVE_WRITER_FILE_SIZE"
    case .writerOutOfOrder: "ARCHIVE_WRITER_OUT_OF_ORDER"
    }
  }
}

extension ArchiveFailure {
  private static let cutOff = "The file was probably cut off; build or upload it again."
  private static let damaged = "The file is damaged or was made by a faulty tool; build it again."

  /// What was wrong, where, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .emptyFile: "The file is empty; an Apple Archive was expected."
    case .tooShort(let bytes):
      "The file has only \(bytes) byte\(bytes == 1 ? "" : "s"); an Apple Archive starts with a mark of 4. "
        + Self.cutOff
    case .foreignFormat(let format): format.sentence
    case .truncatedContainerHeader: "The file ends inside the 12 bytes of its container header. \(Self.cutOff)"
    case .blockSize(let size, let limit):
      "The archive announces blocks of \(size) bytes; 1 to \(limit) are accepted. Packs use 1 MiB."
    case .truncatedBlockHeader(let block, let bytes):
      "The file ends after \(bytes) of the 16 bytes of the header of block \(block). \(Self.cutOff)"
    case .blockRawSize(let size, let block, let blockSize):
      "Block \(block) says that it decodes to \(size) bytes; 1 to the block size of \(blockSize) were expected. "
        + Self.damaged
    case .blockStoredSize(let size, let block, let blockSize):
      "Block \(block) says that it is stored in \(size) bytes; 1 to the block size of \(blockSize) were expected. "
        + Self.damaged
    case .truncatedBlock(let block, let expected, let found):
      "The file ends inside block \(block): \(found) of its \(expected) bytes are there. \(Self.cutOff)"
    case .corruptBlock(let block, let codec, let fault):
      "Block \(block) (\(codec.rawValue)) cannot be decoded, because \(fault.clause). \(Self.damaged)"
    case .noEntries: "The archive has no entries; a pack has at least one file."
    case .truncatedEntry(let entry): "The archive ends inside entry \(entry). \(Self.cutOff)"
    case .entryMagic(let entry):
      "Entry \(entry) does not start with AA01 or YAA1; the entry before it may have a wrong size. \(Self.damaged)"
    case .entryHeaderSize(let size, let entry):
      "The header of entry \(entry) says that it has \(size) bytes; it has at least 6. \(Self.damaged)"
    case .truncatedField(let entry): "A field runs past the end of the header of entry \(entry). \(Self.damaged)"
    case .unknownFieldType(let key, let type, let entry):
      "The field \(key) of entry \(entry) has the unknown type \(type), so its length is not known. \(Self.damaged)"
    case .wrongFieldType(let key, let type, let entry):
      "The field \(key) of entry \(entry) has the type \(type), which it cannot have. \(Self.damaged)"
    case .fieldValue(let key, let entry): "The field \(key) of entry \(entry) has a value out of range. \(Self.damaged)"
    case .duplicateField(let key, let entry):
      "The field \(key) is there twice in entry \(entry), and readers would disagree on which counts. \(Self.damaged)"
    case .tooManyFields(let limit, let entry): "The header of entry \(entry) has more than \(limit) fields."
    case .missingField(let key, let entry): "Entry \(entry) has no field \(key). \(Self.damaged)"
    case .unsupportedEntryType(let type, let entry):
      "Entry \(entry) has the type \(type); packs hold files (F), directories (D) and links (L) only. "
        + "Remove devices, sockets and other special files, then build the pack again."
    case .unexpectedData(let path): "The entry \(path) is not a file but has file data. \(Self.damaged)"
    case .deduplicatedFile(let path):
      "The file \(path) has no data of its own (DAT): the archive is deduplicated, which is not supported. "
        + "Build it again without deduplication."
    case .sizeMismatch(let path, let size, let data):
      "The file \(path) has \(data) bytes of data, but its SIZ field says \(size). \(Self.damaged)"
    case .checksumMismatch(let path, let algorithm):
      "The data of the file \(path) do not match the \(algorithm) in its header. \(Self.damaged)"
    case .extendedAttributes(let path):
      "The extended attributes of \(path) are not a list of whole records. \(Self.damaged)"
    case .path(let path, let fault): "The path \(path) is refused: \(fault.clause)."
    case .link(let path, let target, let fault):
      "The symbolic link \(path) to \(target) is refused: \(fault.clause). Replace it with a copy of the file."
    case .entriesLimit(let limit): "The archive has more than \(limit) files and folders, the limit."
    case .headerBytesLimit(let limit): "The archive's entry headers have more than \(limit) bytes, the limit."
    case .decodedBytesLimit(let limit): "The archive decodes to more than \(limit) bytes, the limit."
    case .attributeBytesLimit(let limit, let path):
      "The extended attributes or the access control list of \(path) have more than \(limit) bytes, the limit."
    case .deadlineExpired: "Reading the archive took longer than is allowed; try again when the machine is less busy."
    case .source(let reason): "The archive could not be read: \(reason)."
    case .digestUnavailable(let name): "OpenSSL does not provide \(name); check its configuration."
    case .compressorUnavailable: "zlib could not compress a block; there may not be enough memory."
    case .writerFileSize(let path, let announced, let given):
      "The file \(path) was announced with \(announced) bytes, but \(given) were given; it changed while being packed."
    case .writerOutOfOrder(let what): "The archive writer was used out of order: \(what)."
    }
  }
}
