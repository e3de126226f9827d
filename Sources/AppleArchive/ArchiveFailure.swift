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
