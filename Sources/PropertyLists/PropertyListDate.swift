/// Dates of property lists: seconds since 2001-01-01T00:00:00Z.
enum PropertyListDate {
  /// Reads `2026-01-31T12:00:00Z`; nil for anything else.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, expected) in zip(bytes, form) {
      guard expected == 0x30 ? (0x30...0x39).contains(byte) : byte == expected else { return nil }
    }
    func number(_ start: Int, _ count: Int) -> Int {
      bytes[start..<(start + count)].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else { return nil }
    let days = self.days(year, month, day) - self.days(2001, 1, 1)
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
  }

  /// Writes the moment, cut to whole seconds and to the years 1 to 9999.
  static func text(_ seconds: Double) -> String {
    let limited = max(-63_000_000_000, min(252_000_000_000, seconds.isFinite ? seconds : 0))
    let whole = Int(limited.rounded(.down))
    let second = ((whole % 86_400) + 86_400) % 86_400
    var day = (whole - second) / 86_400 + days(2001, 1, 1)
    // Eras of 400 years that begin with March, so that the leap day is the last.
    day += 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfYear - (153 * shifted + 2) / 5 + 1, 2))"
    return "\(date)T\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))Z"
  }

  private static func pad(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Days since 1970-01-01 of a date of the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
