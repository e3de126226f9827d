/// What the standard's tables say of a version at level M.
struct QRVersion: Sendable {
  /// 1 to 10.
  let number: Int
  /// Codewords of error correction in each block.
  let correction: Int
  /// Data codewords of each block; shorter ones come first.
  let blocks: [Int]
  /// Rows and columns at whose crossings the alignment patterns have their centres.
  let alignment: [Int]

  var size: Int { 17 + 4 * number }
  var dataCodewords: Int { blocks.reduce(0, +) }
  /// Bits of the character count in byte mode.
  var countBits: Int { number < 10 ? 8 : 16 }
  /// Bytes that fit beside the mode and the count.
  var capacity: Int { (dataCodewords * 8 - 4 - countBits) / 8 }

  static func smallest(for count: Int) -> QRVersion? { all.first { count <= $0.capacity } }

  private static let all: [QRVersion] = [
    QRVersion(number: 1, correction: 10, blocks: [16], alignment: []),
    QRVersion(number: 2, correction: 16, blocks: [28], alignment: [6, 18]),
    QRVersion(number: 3, correction: 26, blocks: [44], alignment: [6, 22]),
    QRVersion(number: 4, correction: 18, blocks: [32, 32], alignment: [6, 26]),
    QRVersion(number: 5, correction: 24, blocks: [43, 43], alignment: [6, 30]),
    QRVersion(number: 6, correction: 16, blocks: [27, 27, 27, 27], alignment: [6, 34]),
    QRVersion(number: 7, correction: 18, blocks: [31, 31, 31, 31], alignment: [6, 22, 38]),
    QRVersion(number: 8, correction: 22, blocks: [38, 38, 39, 39], alignment: [6, 24, 42]),
    QRVersion(number: 9, correction: 22, blocks: [36, 36, 36, 37, 37], alignment: [6, 26, 46]),
    QRVersion(number: 10, correction: 26, blocks: [43, 43, 43, 43, 44], alignment: [6, 28, 50]),
  ]
}
