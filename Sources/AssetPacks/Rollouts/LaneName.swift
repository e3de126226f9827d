/// The name of a lane: 1–64 characters of `A–Z a–z 0–9 . _ -`, not starting with `.` or `-`, so that it is one segment
/// of a URL and of a file path as it stands.
package struct LaneName: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Nil for any other text.
  package init?(_ text: String) {
    guard (1...64).contains(text.utf8.count), !text.hasPrefix("."), !text.hasPrefix("-"),
      text.utf8.allSatisfy(Self.isAllowed)
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
