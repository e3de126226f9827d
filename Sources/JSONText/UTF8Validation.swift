/// The offset of the first byte that begins no UTF-8 sequence (RFC 3629: no overlong forms, surrogates or values beyond
/// U+10FFFF); nil when all of `bytes` is UTF-8.
package func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
  bytes.withUnsafeBufferPointer { buffer in
    var index = 0
    while index < buffer.count {
      let first = buffer[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let length: Int
      // The range of the second byte is what keeps overlong forms and surrogates out.
      let second: ClosedRange<UInt8>
      switch first {
      case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard length <= buffer.count - index, second.contains(buffer[index + 1]) else { return index }
      for place in index + 2..<index + length where buffer[place] & 0xC0 != 0x80 { return index }
      index += length
    }
    return nil
  }
}
