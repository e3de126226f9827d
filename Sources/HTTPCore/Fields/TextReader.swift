import Values

/// Reads the parts of a text with a fixed form from front to back; each method moves on only when it succeeds.
struct TextReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Reads exactly `text`.
  mutating func literal(_ text: StaticString) -> Bool {
    guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Reads exactly so many digits.
  mutating func number(_ digits: Int) -> Int? {
    guard bytes.count - position >= digits,
      let value = Decimal.parse(UnsafeRawBufferPointer(rebasing: bytes[position..<position + digits]))
    else { return nil }
    position += digits
    return value
  }

  /// Reads one of the words in `table`, each `width` bytes long; its index.
  mutating func choice(_ table: StaticString, width: Int) -> Int? {
    guard bytes.count - position >= width else { return nil }
    candidates: for candidate in 0..<table.utf8CodeUnitCount / width {
      for index in 0..<width where bytes[position + index] != table.utf8Start[candidate * width + index] {
        continue candidates
      }
      position += width
      return candidate
    }
    return nil
  }

  /// Reads `hh:mm:ss`; the date in the result is still to be filled in.
  mutating func timeOfDay() -> CivilTime? {
    guard let hour = number(2), literal(":"), let minute = number(2), literal(":"), let second = number(2) else {
      return nil
    }
    return CivilTime(year: 0, month: 1, day: 1, hour: hour, minute: minute, second: second)
  }
}
