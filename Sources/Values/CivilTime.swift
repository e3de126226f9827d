/// A moment in UTC as calendar date and time of day, in the proleptic Gregorian calendar.
package struct CivilTime: Equatable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  /// 0 to 60; 60 is a leap second, which counts as the next minute's first.
  package var second: Int

  /// The seconds of the years 0000 to 9999, the only ones that have four digits.
  package static let representable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The moment so many seconds after 1970; moments outside the years 0000 to 9999 become the nearest inside.
  package init(unixSeconds: Int64) {
    let seconds = Int(min(max(unixSeconds, Self.representable.lowerBound), Self.representable.upperBound))
    let days = Self.floorDivide(seconds, 86400)
    let time = seconds - days * 86400
    // Eras of 400 years that begin on the first of March, so that the leap day is the last of its year.
    let shifted = days + 719_468
    let era = Self.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
  }

  /// Whether the date exists and the time of day is in range.
  package var isValid: Bool {
    (0...9999).contains(year) && (1...12).contains(month) && day >= 1 && day <= daysInMonth
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
  }

  private var daysInMonth: Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Seconds since 1970; only for valid values.
  package var unixSeconds: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Self.floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Int64(days * 86400 + hour * 3600 + minute * 60 + second)
  }

  /// 0 is Sunday.
  package static func weekday(unixSeconds: Int64) -> Int {
    let seconds = Int(min(max(unixSeconds, representable.lowerBound), representable.upperBound))
    let shifted = (floorDivide(seconds, 86400) + 4) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }
}
