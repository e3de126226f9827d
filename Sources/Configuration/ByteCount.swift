/// A number of bytes, written `"256 MiB"`, `"4 GB"`, or as a plain integer.
package struct ByteCount: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let bytes: Int

  package init(bytes: Int) { self.bytes = bytes }

  /// Units in bytes, the smallest first: the decimal ones of SI and the binary ones of IEC 80000-13.
  static let units: [(name: String, factor: Int)] = [
    ("B", 1), ("KB", 1000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000),
    ("GiB", 1 << 30), ("TB", 1_000_000_000_000), ("TiB", 1 << 40),
  ]

  /// From digits, a space or none, and a unit in any letter case; nil for everything else and beyond 64 bits.
  package init?(_ text: String) {
    guard let bytes = Quantity.parse(text, units: Self.units) else { return nil }
    self.bytes = bytes
  }

  package static func bytes(_ count: Int) -> ByteCount { ByteCount(bytes: count) }
  package static func kibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 10) }
  package static func mebibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 20) }
  package static func gibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 30) }
  package static func terabytes(_ count: Int) -> ByteCount { ByteCount(bytes: count * 1_000_000_000_000) }

  /// In the largest unit that gives a whole number: "16 KiB", "8 GB", "1001 B".
  package var description: String { Quantity.describe(bytes, units: Self.units.reversed()) }

  package static func < (a: ByteCount, b: ByteCount) -> Bool { a.bytes < b.bytes }
}

/// Whole numbers with a unit.
enum Quantity {
  static func parse(_ text: String, units: [(name: String, factor: Int)]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    var unit = text.dropFirst(digits.count)
    if unit.first == " " { unit = unit.dropFirst() }
    guard let number = Int(digits), let match = units.first(where: { $0.name.lowercased() == unit.lowercased() }) else {
      return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: match.factor)
    return overflow ? nil : product
  }

  /// - Parameter units: the largest first; the last one has the factor 1.
  static func describe(_ value: Int, units: some Collection<(name: String, factor: Int)>) -> String {
    for unit in units where value != 0 && value % unit.factor == 0 { return "\(value / unit.factor) \(unit.name)" }
    return "\(value) \(units.first { $0.factor == 1 }?.name ?? "")"
  }
}
