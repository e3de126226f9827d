/// Data of one kind that a seed decides, to compress and to get back.
enum SeededData: CaseIterable {
  case words, records, noise, runs, mixture

  func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(state: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 2000)
    switch self {
    case .words:
      let words = (0..<300).map { _ in
        (0..<Int.random(in: 1...9, using: &generator)).map { _ in UInt8.random(in: 97...122, using: &generator) }
      }
      while bytes.count < count {
        // Small numbers come more often.
        let bound = Int.random(in: 1...words.count, using: &generator)
        bytes += words[Int.random(in: 0..<bound, using: &generator)] + [32]
      }
    case .records:
      var value: UInt32 = 0
      while bytes.count < count {
        value &+= UInt32.random(in: 0...40, using: &generator)
        bytes += withUnsafeBytes(of: value.littleEndian) { Array($0) } + [0, 0, UInt8(value & 3), 255]
      }
    case .noise:
      while bytes.count < count {
        let word = generator.next()
        bytes += withUnsafeBytes(of: word) { Array($0) }
      }
    case .runs:
      while bytes.count < count {
        bytes += repeatElement(
          UInt8.random(in: 0...2, using: &generator), count: Int.random(in: 1...1500, using: &generator))
      }
    case .mixture:
      let kinds: [SeededData] = [.words, .records, .noise, .runs]
      while bytes.count < count {
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
        bytes += kind.bytes(Int.random(in: 1...20_000, using: &generator), seed: generator.next())
      }
    }
    return Array(bytes[..<count])
  }
}
