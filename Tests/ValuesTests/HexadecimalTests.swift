import Testing
import Values

@Suite struct HexadecimalTests {
  @Test func bytesGoBothWays() {
    #expect(hexadecimal([0, 0x0f, 0xa5, 0xff]) == "000fa5ff")
    #expect(hexadecimal([0, 0x0f, 0xa5, 0xff], uppercase: true) == "000FA5FF")
    #expect(bytes(hexadecimal: "000fA5FF") == [0, 0x0f, 0xa5, 0xff])
    #expect(bytes(hexadecimal: "0") == nil)
    #expect(bytes(hexadecimal: "0g") == nil)
  }

  @Test func aDigitHasTheValueThatTheStandardLibraryGivesIt() {
    for byte in UInt8.min...UInt8.max {
      let expected = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } : nil
      #expect(hexadecimalValue(byte) == expected, "\(byte)")
    }
  }
}
