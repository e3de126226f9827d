/// Moments as text (RFC 3339): in JSON, property lists, logs and on the command line.
package enum ISO8601 {
  /// The moment in UTC with seconds, such as `2026-01-02T03:04:05Z`; always four digits of year.
  package static func text(unixSeconds: Int64) -> String {
    let time = CivilTime(unixSeconds: unixSeconds)
    func padded(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return padded(time.year, 4) + "-" + padded(time.month, 2) + "-" + padded(time.day, 2)
      + "T" + padded(time.hour, 2) + ":" + padded(time.minute, 2) + ":" + padded(time.second, 2) + "Z"
  }

  /// Reads a date with time and zone; fractions of a second are dropped. Nil for anything else.
  package static func parse(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBytes { bytes in
      var reader = TextReader(bytes)
      guard let year = reader.number(4), reader.literal("-"), let month = reader.number(2), reader.literal("-"),
        let day = reader.number(2), reader.literal("T") || reader.literal("t") || reader.literal(" "),
        var time = reader.timeOfDay()
      else { return nil }
      (time.year, time.month, time.day) = (year, month, day)
      if reader.literal(".") {
        guard reader.number(1) != nil else { return nil }
        while reader.number(1) != nil {}
      }
      guard time.isValid, let offset = zone(&reader), reader.isAtEnd else { return nil }
      return time.unixSeconds - Int64(offset)
    }
  }

  /// Seconds east of UTC.
  private static func zone(_ reader: inout TextReader) -> Int? {
    if reader.literal("Z") || reader.literal("z") { return 0 }
    let isEast = reader.literal("+")
    guard isEast || reader.literal("-"), let hours = reader.number(2), reader.literal(":"),
      let minutes = reader.number(2), hours < 24, minutes < 60
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
