/// Sizes as they are written on the command line.
enum ByteText {
  private static let units: [(name: String, factor: Int)] = [
    ("b", 1), ("kb", 1000), ("kib", 1 << 10), ("mb", 1_000_000), ("mib", 1 << 20), ("gb", 1_000_000_000),
    ("gib", 1 << 30), ("tb", 1_000_000_000_000), ("tib", 1 << 40),
  ]

  /// The bytes of `10485760`, `50GB` or `16 MiB`; nil for everything else and beyond 64 bits.
  static func parse(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard !unit.isEmpty else { return number }
    guard let found = units.first(where: { $0.name == unit }) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: found.factor)
    return overflow ? nil : product
  }

  /// The value of an option as bytes; nil when it is not given.
  static func option(_ arguments: Arguments, _ name: String) throws(CommandFailure) -> Int? {
    guard let text = arguments.value(name) else { return nil }
    guard let bytes = parse(text) else {
      throw CommandFailure("--\(name) must be a size in bytes, or one such as 50GB or 16MiB, not \(text).", .usage)
    }
    return bytes
  }
}
