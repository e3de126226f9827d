/// The modules of a code while it is drawn.
struct QRMatrix {
  let size: Int
  private(set) var dark: [Bool]
  /// Modules of the function patterns, which hold no data and are not masked.
  private var isFunction: [Bool]

  /// The function patterns of a version; the places of the format bits are kept free.
  init(version: QRVersion) {
    size = version.size
    dark = [Bool](repeating: false, count: size * size)
    isFunction = dark
    for place in 0..<size {
      set(6, place, place % 2 == 0)
      set(place, 6, place % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
    let last = version.alignment.count - 1
    for (i, row) in version.alignment.enumerated() {
      for (j, column) in version.alignment.enumerated() {
        // Three corners belong to the finders.
        if (i == 0 && j == 0) || (i == 0 && j == last) || (i == last && j == 0) { continue }
        for y in -2...2 {
          for x in -2...2 { set(row + y, column + x, max(abs(x), abs(y)) != 1) }
        }
      }
    }
    drawFormat(mask: 0)
    if version.number >= 7 { drawVersion(version.number) }
  }

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return }
    dark[row * size + column] = isDark
    isFunction[row * size + column] = true
  }

  /// A finder pattern with its separator around.
  private mutating func drawFinder(_ row: Int, _ column: Int) {
    for y in -4...4 {
      for x in -4...4 {
        let distance = max(abs(x), abs(y))
        set(row + y, column + x, distance != 2 && distance != 4)
      }
    }
  }

  /// Level M and the mask, with their error correction, in both places; and the module that is always dark.
  private mutating func drawFormat(mask: Int) {
    // Level M is 00 in the standard's table.
    var remainder = mask
    for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
    let bits = (mask << 10 | remainder) ^ 0x5412
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0...5 { set(place, 8, bit(place)) }
    set(7, 8, bit(6))
    set(8, 8, bit(7))
    set(8, 7, bit(8))
    for place in 9..<15 { set(8, 14 - place, bit(place)) }
    for place in 0..<8 { set(8, size - 1 - place, bit(place)) }
    for place in 8..<15 { set(size - 15 + place, 8, bit(place)) }
    set(size - 8, 8, true)
  }

  private mutating func drawVersion(_ number: Int) {
    var remainder = number
    for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
    let bits = number << 12 | remainder
    for place in 0..<18 {
      let isDark = bits >> place & 1 == 1
      set(size - 11 + place % 3, place / 3, isDark)
      set(place / 3, size - 11 + place % 3, isDark)
    }
  }

  /// With the codewords in the free modules: two columns at a time from the right, up and down in turn.
  func filled(with words: [UInt8]) -> QRMatrix {
    var matrix = self
    var bit = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      let isUpward = (right + 1) & 2 == 0
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFunction[row * size + column] {
          if bit < words.count * 8 {
            matrix.dark[row * size + column] = words[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          }
          bit += 1
        }
      }
      right -= 2
    }
    return matrix
  }

  /// With a mask over the data, and with its number in the format bits.
  func masked(_ mask: Int) -> QRMatrix {
    var matrix = self
    for row in 0..<size {
      for column in 0..<size where !isFunction[row * size + column] && Self.inverts(mask, row, column) {
        matrix.dark[row * size + column].toggle()
      }
    }
    matrix.drawFormat(mask: mask)
    return matrix
  }

  private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    let product = row * column
    switch mask {
    case 0: return (row + column) % 2 == 0
    case 1: return row % 2 == 0
    case 2: return column % 3 == 0
    case 3: return (row + column) % 3 == 0
    case 4: return (row / 2 + column / 3) % 2 == 0
    case 5: return product % 2 + product % 3 == 0
    case 6: return (product % 2 + product % 3) % 2 == 0
    default: return ((row + column) % 2 + product % 3) % 2 == 0
    }
  }
}
