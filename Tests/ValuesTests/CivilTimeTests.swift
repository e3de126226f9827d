import Testing
import Values

@Suite struct CivilTimeTests {
  @Test func everyDayOfFourCenturiesIsReadBack() {
    for day in Int64(0)..<146_097 {
      let time = CivilTime(unixSeconds: day * 86400)
      guard time.isValid, time.unixSeconds == day * 86400 else {
        Issue.record("day \(day) gave \(time)")
        return
      }
    }
  }

  @Test func momentsWithoutFourDigitYearsBecomeTheNearest() {
    #expect(ISO8601.text(unixSeconds: .min) == "0000-01-01T00:00:00Z")
    #expect(ISO8601.text(unixSeconds: .max) == "9999-12-31T23:59:59Z")
  }

  static let iso: [(String, Int64?)] = [
    ("2026-01-02T03:04:05Z", 1_767_323_045),
    ("2026-01-02t03:04:05z", 1_767_323_045),
    ("2026-01-02T03:04:05.999Z", 1_767_323_045),
    ("2026-01-02T05:04:05+02:00", 1_767_323_045),
    ("2026-01-01T21:34:05-05:30", 1_767_323_045),
    ("2026-01-02T03:04:05", nil),
    ("2026-01-02", nil),
    ("2026-02-30T03:04:05Z", nil),
    ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("-026-01-02T03:04:05Z", nil),
    ("2026-01-02T03:04:05.Z", nil),
    ("2026-01-02T03:04:05+24:00", nil),
    ("2026-01-02T03:04:05Zx", nil),
    ("", nil),
  ]

  @Test(arguments: iso) func parsesISO8601(_ row: (String, Int64?)) {
    #expect(ISO8601.parse(row.0) == row.1)
  }
}
