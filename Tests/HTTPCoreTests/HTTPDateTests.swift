import Foundation
import Testing

@testable import HTTPCore
import Values

@Suite struct HTTPDateTests {
  static let parsed: [(String, Int64?)] = [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Sun Nov 16 08:49:37 1994", 784_975_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
    ("Tuesday, 31-Dec-69 23:59:59 GMT", 3_155_759_999),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("sun, 06 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
    ("Sun, 06 Nov 1994 08:49:37", nil),
    ("Sun, 06 Nov 1994 08:49:37 GMT ", nil),
    ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 31 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 29 Feb 1900 00:00:00 GMT", nil),
    ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
    ("Sun, 06 Nov 1994 08:60:00 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:61 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:-7 GMT", nil),
    ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
    ("Sun Nov 6 08:49:37 1994", nil),
    ("", nil),
    ("784111777", nil),
  ]

  @Test(arguments: parsed) func parses(_ row: (String, Int64?)) {
    #expect(Array(row.0.utf8).withUnsafeBytes(HTTPDate.parse) == row.1)
  }

  @Test func renderedDatesAreReadBackAndAgreeWithFoundation() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    var random = SeededGenerator(state: 3)
    for _ in 0..<2000 {
      // Foundation's calendar is Julian before 1582.
      let moment = Int64.random(in: -12_219_200_000...253_402_300_799, using: &random)
      let text = HTTPDate.text(moment)
      #expect(text.utf8.count == HTTPDate.length)
      #expect(Array(text.utf8).withUnsafeBytes(HTTPDate.parse) == moment)
      #expect(text == formatter.string(from: Date(timeIntervalSince1970: Double(moment))))
      #expect(ISO8601.parse(ISO8601.text(unixSeconds: moment)) == moment)
    }
  }

  @Test func momentsWithoutFourDigitYearsBecomeTheNearest() {
    #expect(HTTPDate.text(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(HTTPDate.text(.min) == "Sat, 01 Jan 0000 00:00:00 GMT")
  }
}
