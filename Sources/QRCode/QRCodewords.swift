/// The codewords of a code: the data with its padding in blocks, each with its error correction, interleaved.
enum QRCodewords {
  static func make(_ bytes: [UInt8], version: QRVersion) -> [UInt8] {
    let data = padded(bytes, version: version)
    var blocks: [[UInt8]] = []
    var start = 0
    for length in version.blocks {
      blocks.append(Array(data[start..<(start + length)]))
      start += length
    }
    let corrections = blocks.map { ReedSolomon.remainder(of: $0, count: version.correction) }
    var words: [UInt8] = []
    for place in 0..<(version.blocks.max() ?? 0) {
      for block in blocks where place < block.count { words.append(block[place]) }
    }
    for place in 0..<version.correction {
      for correction in corrections { words.append(correction[place]) }
    }
    return words
  }

  /// Mode, count, bytes, terminator and the two padding bytes in turn.
  private static func padded(_ bytes: [UInt8], version: QRVersion) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
    }
    append(0b0100, 4)
    append(bytes.count, version.countBits)
    for byte in bytes { append(Int(byte), 8) }
    let capacity = version.dataCodewords * 8
    append(0, min(4, max(0, capacity - bits.count)))
    append(0, (8 - bits.count % 8) % 8)
    var words = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var padding: UInt8 = 0xEC
    while words.count < version.dataCodewords {
      words.append(padding)
      padding = padding == 0xEC ? 0x11 : 0xEC
    }
    return words
  }
}

/// Reed–Solomon codes over GF(256) with the polynomial 0x11D.
enum ReedSolomon {
  /// The `count` codewords of error correction for a block.
  static func remainder(of block: [UInt8], count: Int) -> [UInt8] {
    let generator = generator(count)
    var remainder = [UInt8](repeating: 0, count: count)
    for byte in block {
      let factor = byte ^ remainder[0]
      remainder.removeFirst()
      remainder.append(0)
      for place in 0..<count { remainder[place] ^= multiply(generator[place], factor) }
    }
    return remainder
  }

  /// The coefficients below the leading one, highest first.
  private static func generator(_ degree: Int) -> [UInt8] {
    var polynomial = [UInt8](repeating: 0, count: degree)
    polynomial[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in 0..<degree {
        polynomial[place] = multiply(polynomial[place], root)
        if place + 1 < degree { polynomial[place] ^= polynomial[place + 1] }
      }
      root = multiply(root, 2)
    }
    return polynomial
  }

  static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product: UInt8 = 0
    for place in (0..<8).reversed() {
      let carries = product & 0x80 != 0
      product = product << 1 ^ (carries ? 0x1D : 0)
      if b >> UInt8(place) & 1 == 1 { product ^= a }
    }
    return product
  }
}
