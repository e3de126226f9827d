import Values

/// Dates in HTTP fields (RFC 9110 section 5.6.7).
package struct HTTPDate {
  /// The length of an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static let length = 29

  private static let weekdays: StaticString = "SunMonTueWedThuFriSat"
  private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// Writes exactly 29 bytes of IMF-fixdate. Moments outside the years 0000 to 9999 become the nearest inside.
  package static func render(unixSeconds: Int64, into target: UnsafeMutableRawPointer) {
    let time = CivilTime(unixSeconds: unixSeconds)
    let form: StaticString = "---, -- --- ---- --:--:-- GMT"
    target.copyMemory(from: form.utf8Start, byteCount: length)
    let weekday = CivilTime.weekday(unixSeconds: unixSeconds)
    target.copyMemory(from: weekdays.utf8Start + weekday * 3, byteCount: 3)
    Decimal.write(UInt(time.day), digits: 2, into: target + 5)
    (target + 8).copyMemory(from: months.utf8Start + (time.month - 1) * 3, byteCount: 3)
    Decimal.write(UInt(time.year), digits: 4, into: target + 12)
    Decimal.write(UInt(time.hour), digits: 2, into: target + 17)
    Decimal.write(UInt(time.minute), digits: 2, into: target + 20)
    Decimal.write(UInt(time.second), digits: 2, into: target + 23)
  }

  /// The moment as text in IMF-fixdate.
  package static func text(_ unixSeconds: Int64) -> String {
    withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { target in
      guard let base = target.baseAddress else { return "" }
      render(unixSeconds: unixSeconds, into: base)
      return String(decoding: target, as: UTF8.self)
    }
  }

  /// Reads any of the three forms of RFC 9110 section 5.6.7; nil for anything else.
  ///
  /// The two-digit year of the RFC 850 form means 1970 to 2069, so that the answer does not depend on the clock. The
  /// name of the day must be one, but need not be the date's.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    var reader = TextReader(bytes)
    var time: CivilTime?
    if bytes.count == length, bytes[3] == 0x2C {
      time = fixdate(&reader)
    } else if bytes.count == 24, bytes[3] == 0x20 {
      time = asctime(&reader)
    } else {
      time = rfc850(&reader)
    }
    guard let time, time.isValid, reader.isAtEnd else { return nil }
    return time.unixSeconds
  }

  private static func fixdate(_ reader: inout TextReader) -> CivilTime? {
    guard reader.choice(weekdays, width: 3) != nil, reader.literal(", "), let day = reader.number(2),
      reader.literal(" "), let month = reader.choice(months, width: 3), reader.literal(" "),
      let year = reader.number(4), reader.literal(" "), var time = reader.timeOfDay(), reader.literal(" GMT")
    else { return nil }
    (time.year, time.month, time.day) = (year, month + 1, day)
    return time
  }

  private static func asctime(_ reader: inout TextReader) -> CivilTime? {
    guard reader.choice(weekdays, width: 3) != nil, reader.literal(" "),
      let month = reader.choice(months, width: 3), reader.literal(" "),
      let day = reader.literal(" ") ? reader.number(1) : reader.number(2), reader.literal(" "),
      var time = reader.timeOfDay(), reader.literal(" "), let year = reader.number(4)
    else { return nil }
    (time.year, time.month, time.day) = (year, month + 1, day)
    return time
  }

  private static func rfc850(_ reader: inout TextReader) -> CivilTime? {
    let names: [StaticString] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    guard names.contains(where: { reader.literal($0) }), reader.literal(", "), let day = reader.number(2),
      reader.literal("-"), let month = reader.choice(months, width: 3), reader.literal("-"),
      let year = reader.number(2), reader.literal(" "), var time = reader.timeOfDay(), reader.literal(" GMT")
    else { return nil }
    (time.year, time.month, time.day) = (year < 70 ? 2000 + year : 1900 + year, month + 1, day)
    return time
  }
}
