/// A line of releases with a manifest of its own; a pack has at most one live version on each.
package enum Track: String, CaseIterable, Sendable {
  case production
  /// The external beta.
  case beta
  case `internal`
}

/// The name of a lane: 1–64 characters of `A–Z a–z 0–9 . _ -`, not starting with `.` or `-`, so that it is one segment
/// of a URL and of a file path without escaping.
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

/// Finds what a manifest request says besides the platform: the lane, and who the client is. Nothing is allocated.
package enum TrackQuery {
  /// The value of the first `lane=`, as sent; nil without one.
  package static func lane(in query: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { value("lane=", in: query) }

  /// The value of the first `clientKey=`, as sent; nil without one, and when it is empty.
  package static func clientKey(in query: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    value("clientKey=", in: query).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of the first parameter that begins with `name`, which ends in `=`.
  private static func value(_ name: StaticString, in query: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let length = name.utf8CodeUnitCount
    var start = 0
    while start < query.count {
      var end = start
      while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
      if end - start >= length, matches(query, start, name, length) {
        return UnsafeRawBufferPointer(rebasing: query[(start + length)..<end])
      }
      start = end + 1
    }
    return nil
  }

  private static func matches(
    _ query: UnsafeRawBufferPointer, _ start: Int, _ name: StaticString, _ length: Int
  ) -> Bool {
    for index in 0..<length where query[start + index] != name.utf8Start[index] { return false }
    return true
  }
}
