/// A length of time, written `"250 ms"`, `"30 s"`, `"5 min"`, `"2 h"`, `"1 d"`. A number without a unit is refused.
package struct TimeSpan: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  static let units: [(name: String, factor: Int)] = [
    ("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// From digits, a space or none, and a unit; nil for everything else and beyond 64 bits.
  package init?(_ text: String) {
    guard let milliseconds = Quantity.parse(text, units: Self.units) else { return nil }
    self.milliseconds = milliseconds
  }

  package static func seconds(_ count: Int) -> TimeSpan { TimeSpan(milliseconds: count * 1000) }
  package static func minutes(_ count: Int) -> TimeSpan { .seconds(count * 60) }
  package static func hours(_ count: Int) -> TimeSpan { .minutes(count * 60) }
  package static func days(_ count: Int) -> TimeSpan { .hours(count * 24) }

  /// Whole seconds, rounded up.
  package var seconds: Int { milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0) }

  /// In the largest unit that gives a whole number: "5 min", "90 s".
  package var description: String { Quantity.describe(milliseconds, units: Self.units.reversed()) }

  package static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.milliseconds < b.milliseconds }
}
