/// What is wrong with the payload of one block.
package enum CodecFault: Error, Equatable, Sendable {
  /// The payload ends before the codec's own end mark or inside one of its parts.
  case truncated
  /// Bytes follow the codec's end mark.
  case trailingBytes
  /// The payload holds more decoded bytes than the block announces.
  case tooLong
  /// The payload ends with fewer decoded bytes than the block announces.
  case tooShort
  /// A match reaches before the start of the payload's output, or its distance is 0.
  case distance
  /// A part starts with a mark that the codec does not know.
  case unknownMark
  /// A header or table of the codec contradicts itself.
  case malformed
  /// `bvx1`, a form of LZFSE that no encoder writes.
  case uncompressedTables
  /// zlib could not get memory.
  case outOfMemory

  /// The fault as the end of a sentence: "… because <clause>".
  package var clause: String {
    switch self {
    case .truncated: "its data end too early"
    case .trailingBytes: "bytes follow the end of its data"
    case .tooLong: "it decodes to more bytes than the block header says"
    case .tooShort: "it decodes to fewer bytes than the block header says"
    case .distance: "a match points before the start of the data"
    case .unknownMark: "a part of it starts with an unknown mark"
    case .malformed: "one of its headers or tables is not valid"
    case .uncompressedTables: "it uses the bvx1 form, which no encoder writes"
    case .outOfMemory: "there is not enough memory to decode it"
    }
  }
}
