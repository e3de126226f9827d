/// Decodes the opcodes of a `bvxn` block between `source` and `end`, which must give exactly `raw` bytes and end with
/// the end-of-stream opcode. Matches may reach into what the payload has produced before.
func decodeLZVN(
  _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, raw: Int, into output: inout DecodeOutput
) throws(CodecFault) {
  guard raw <= output.room else { throw .tooLong }
  let blockEnd = output.next + raw
  let outputStart = output.start
  var source = start
  var target = output.next
  var distance = 0
  while true {
    guard source < end else { throw .truncated }
    let left = end - source
    let opcode = source.byte()
    var literals = 0
    var count = 0
    switch opcode {
    case 0xf0:
      guard left >= 2 else { throw .truncated }
      count = source.byte(1) &+ 16
      source += 2
    case 0xf1...0xff:
      count = opcode & 15
      source += 1
    case 0xe0:
      guard left >= 2 else { throw .truncated }
      literals = source.byte(1) &+ 16
      source += 2
    case 0xe1...0xef:
      literals = opcode & 15
      source += 1
    case 0xa0...0xbf:
      guard left >= 3 else { throw .truncated }
      let word = source.word16(1)
      literals = (opcode &>> 3) & 3
      count = (((opcode & 7) &<< 2) | (word & 3)) &+ 3
      distance = word &>> 2
      source += 3
    case 0x06:
      // The end: 06 and seven zero bytes, and nothing after them.
      guard left >= 8 else { throw .truncated }
      guard source.word64() == 6 else { throw .malformed }
      guard left == 8 else { throw .trailingBytes }
      guard target == blockEnd else { throw .tooShort }
      output.next = target
      return
    case 0x0e, 0x16:
      source += 1
      continue
    case 0x1e, 0x26, 0x2e, 0x36, 0x3e, 0x70...0x7f, 0xd0...0xdf:
      throw .malformed
    default:
      literals = opcode &>> 6
      count = ((opcode &>> 3) & 7) &+ 3
      switch opcode & 7 {
      case 7:
        guard left >= 3 else { throw .truncated }
        distance = source.word16(1)
        source += 3
      case 6:
        source += 1
      default:
        guard left >= 2 else { throw .truncated }
        distance = ((opcode & 7) &<< 8) | source.byte(1)
        source += 2
      }
    }

    guard literals <= end - source else { throw .truncated }
    let room = blockEnd - target
    guard literals &+ count <= room else { throw .tooLong }
    let isRoomy = literals &+ count &+ wildCopyMargin <= room && literals &+ wildCopyMargin <= end - source
    if literals > 0 {
      if isRoomy {
        wildCopy(target, source, literals)
      } else {
        target.copyMemory(from: source, byteCount: literals)
      }
      source += literals
      target += literals
    }
    if count > 0 {
      guard distance > 0, distance <= target - outputStart else { throw .distance }
      if isRoomy {
        wildMatch(target, distance: distance, count: count)
      } else {
        exactMatch(target, distance: distance, count: count)
      }
      target += count
    }
  }
}
