/// Decodes payloads made of Apple's LZ4 frames: `bv41` (compressed), `bv4-` (plain), `bv4$` (end).
///
/// Written here because no packaged library reads these frames: they are not those of the LZ4 project.
enum LZ4Decoder {
  private enum Mark {
    static let end = 0x2434_7662  // bv4$
    static let plain = 0x2d34_7662  // bv4-
    static let compressed = 0x3134_7662  // bv41
  }

  /// Decodes `payload`, which must give exactly `output.count` bytes and end at its end mark.
  static func decode(_ payload: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CodecFault) {
    guard let start = payload.baseAddress, let base = output.baseAddress else { throw .truncated }
    let end = start + payload.count
    var source = start
    var target = DecodeOutput(output, base: base)
    while true {
      guard end - source >= 4 else { throw .truncated }
      switch source.word32() {
      case Mark.end:
        guard end - source == 4 else { throw .trailingBytes }
        guard target.room == 0 else { throw .tooShort }
        return
      case Mark.plain:
        guard end - source >= 8 else { throw .truncated }
        let raw = source.word32(4)
        source += 8
        guard raw <= end - source else { throw .truncated }
        try target.append(source, raw)
        source += raw
      case Mark.compressed:
        guard end - source >= 12 else { throw .truncated }
        let raw = source.word32(4)
        let stored = source.word32(8)
        source += 12
        guard stored <= end - source else { throw .truncated }
        try decodeBlock(source, source + stored, raw: raw, into: &target)
        source += stored
      default:
        throw .unknownMark
      }
    }
  }

  /// One LZ4 block: sequences of literals and a match, the last one without a match.
  private static func decodeBlock(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, raw: Int, into output: inout DecodeOutput
  ) throws(CodecFault) {
    guard raw <= output.room else { throw .tooLong }
    let blockEnd = output.next + raw
    var source = start
    var target = output.next
    while source < end {
      let token = source.byte()
      source += 1
      var literals = token &>> 4
      if literals == 15 { literals = try extended(literals, &source, end) }
      guard literals <= end - source else { throw .truncated }
      guard literals <= blockEnd - target else { throw .tooLong }
      if literals &+ wildCopyMargin <= min(end - source, blockEnd - target) {
        wildCopy(target, source, literals)
      } else {
        target.copyMemory(from: source, byteCount: literals)
      }
      source += literals
      target += literals
      if source == end { break }

      guard end - source >= 2 else { throw .truncated }
      let distance = source.word16()
      source += 2
      var count = token & 15
      if count == 15 { count = try extended(count, &source, end) }
      count &+= 4
      guard count <= blockEnd - target else { throw .tooLong }
      guard distance > 0, distance <= target - output.start else { throw .distance }
      if count &+ wildCopyMargin <= blockEnd - target {
        wildMatch(target, distance: distance, count: count)
      } else {
        exactMatch(target, distance: distance, count: count)
      }
      target += count
    }
    guard target == blockEnd else { throw .tooShort }
    output.next = target
  }

  /// A length that goes on in bytes of 255; it cannot overflow, because a payload is at most 64 MiB long.
  private static func extended(
    _ base: Int, _ source: inout UnsafeRawPointer, _ end: UnsafeRawPointer
  ) throws(CodecFault) -> Int {
    var length = base
    while true {
      guard source < end else { throw .truncated }
      let byte = source.byte()
      source += 1
      length &+= byte
      if byte != 255 { return length }
    }
  }
}
