import Values

/// Dates of property lists: seconds since 2001-01-01T00:00:00Z.
enum PropertyListDate {
  /// 2001-01-01T00:00:00Z in seconds since 1970.
  private static let epoch: Int64 = 978_307_200

  /// Reads `2026-01-31T12:00:00Z`; nil for anything else, also for other forms of RFC 3339.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z"),
      let moment = ISO8601.parse(text)
    else { return nil }
    return Double(moment - epoch)
  }

  /// Writes the moment, cut to whole seconds and to the years 0 to 9999.
  static func text(_ seconds: Double) -> String {
    let limited = max(-1e12, min(1e12, seconds.isFinite ? seconds : 0))
    return ISO8601.text(unixSeconds: Int64(limited.rounded(.down)) + epoch)
  }
}
