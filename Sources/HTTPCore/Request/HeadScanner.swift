/// Finds the end of a request's head and checks on the way that every line ends in CR LF and that no other control
/// byte stands in it. Remembers how far it has looked.
struct HeadScanner {
  enum Result {
    case needMore
    /// The request line starts at `start`; the head's last byte stands before `end`.
    case found(start: Int, end: Int)
    case refused(RequestFault)
  }

  /// Empty lines that a client may send before a request (RFC 9112 section 2.2 asks for at least one).
  private static let leadingEmptyLines = 2

  private var position = 0
  private var lineStart = 0
  private var requestStart = 0
  private var isPastRequestLine = false
  private var emptyLines = 0

  /// Looks at the bytes that were not there at the last call.
  mutating func advance(_ bytes: UnsafePointer<UInt8>, count: Int, limits: RequestLimits) -> Result {
    let end = min(count, limits.headBytes)
    while let hit = Self.nextControl(bytes, from: position, to: end) {
      position = hit
      switch bytes[hit] {
      case 0x09:
        position = hit + 1
      case 0x0D:
        guard hit + 1 < end else { return incomplete(count: count, limits: limits) }
        guard bytes[hit + 1] == 0x0A else { return .refused(.bareLineEnd) }
        position = hit + 2
        if let result = endLine(at: hit) { return result }
      case 0x0A:
        return .refused(.bareLineEnd)
      default:
        return .refused(.controlByte)
      }
    }
    position = max(position, end)
    return incomplete(count: count, limits: limits)
  }

  /// Takes the line that ends at `lineEnd` into account; a result when the head ends with it.
  private mutating func endLine(at lineEnd: Int) -> Result? {
    let isEmpty = lineEnd == lineStart
    if !isPastRequestLine {
      if isEmpty {
        emptyLines += 1
        if emptyLines > Self.leadingEmptyLines { return .refused(.emptyLines) }
      } else {
        requestStart = lineStart
        isPastRequestLine = true
      }
    } else if isEmpty {
      return .found(start: requestStart, end: position)
    }
    lineStart = position
    return nil
  }

  private func incomplete(count: Int, limits: RequestLimits) -> Result {
    // The longest method in use has 17 letters and the version 8: what is longer by far can only be the target.
    if !isPastRequestLine && count - lineStart > limits.targetBytes + 64 { return .refused(.targetTooLong) }
    if count >= limits.headBytes { return .refused(isPastRequestLine ? .headTooLong : .targetTooLong) }
    return .needMore
  }

  /// The first byte below 0x20 or equal to 0x7F in `start..<end`, eight bytes at a time.
  static func nextControl(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = start
    let raw = UnsafeRawPointer(bytes)
    while index &+ 8 <= end {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let deletes = word ^ (ones &* 0x7F)
      // A borrow can mark bytes above a true hit, never below one: the lowest mark is always true.
      let marks = ((word &- ones &* 0x20) & ~word | (deletes &- ones) & ~deletes) & highs
      if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x7F { return index }
      index &+= 1
    }
    return nil
  }
}
