import HTTPCore
import Values

/// Times as people type them: `90d`, `12h`, `30min`, `45s`, or a date in ISO 8601.
enum TimeText {
  private static let units: [(name: String, seconds: Int64)] = [
    ("min", 60), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
  ]

  /// Seconds of a span; nil for anything else and for more than a hundred years.
  static func span(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let count = Int64(digits), let factor = units.first(where: { $0.name == unit })?.seconds else { return nil }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: factor)
    return overflow || seconds > 36_525 * 86_400 ? nil : seconds
  }

  /// A moment in seconds since 1970: a span from `now`, or a date with time and zone, or a date alone (its first
  /// second in UTC).
  static func moment(_ text: String, from now: Int64, past: Bool = false) -> Int64? {
    if let seconds = span(text) { return past ? now - seconds : now + seconds }
    return ISO8601.parse(text) ?? ISO8601.parse("\(text)T00:00:00Z")
  }
}
