/// Reads the parts of a text with a fixed form from front to back; each method moves on only when it succeeds.
package struct TextReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  package var isAtEnd: Bool { position == bytes.count }

  /// Reads exactly `text`.
  package mutating func literal(_ text: StaticString) -> Bool {
    guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Reads exactly so many digits, 1 to 18.
  package mutating func number(_ digits: Int) -> Int? {
    guard (1...18).contains(digits), bytes.count - position >= digits else { return nil }
    var value = 0
    for index in position..<position + digits {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += digits
    return value
  }

  /// Reads one of the words in `table`, each `width` bytes long; its index.
  package mutating func choice(_ table: StaticString, width: Int) -> Int? {
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
  package mutating func timeOfDay() -> CivilTime? {
    guard let hour = number(2), literal(":"), let minute = number(2), literal(":"), let second = number(2) else {
      return nil
    }
    return CivilTime(year: 0, month: 1, day: 1, hour: hour, minute: minute, second: second)
  }
}
