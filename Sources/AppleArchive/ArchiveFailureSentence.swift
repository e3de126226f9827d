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
