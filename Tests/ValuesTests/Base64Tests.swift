import Foundation
import Testing
import Values

@Suite struct Base64Tests {
  @Test(
    arguments: [
      ("", []), ("_w", [0xff]), ("-_8", [0xfb, 0xff]), ("AQID", [1, 2, 3]), ("AA", [0]), ("A", nil), ("AB", nil),
      ("-_9", nil), ("_w==", nil), ("+/8", nil), ("AQ ID", nil), ("AQI\nD", nil), ("AQIDA", nil), ("é", nil),
    ] as [(String, [UInt8]?)])
  func base64URLIsReadStrictly(text: String, bytes: [UInt8]?) { #expect(Base64URL.decode(text.utf8) == bytes) }

  /// Property lists are written by people and tools that differ, so that more is understood there.
  @Test(
    arguments: [
      ("", []), ("/w==", [0xff]), ("/w", [0xff]), ("/w=", [0xff]), ("+/8=", [0xfb, 0xff]), (" A Q\n\tID\r", [1, 2, 3]),
      ("AB", [0]), ("AA= =", [0]), ("A", nil), ("AQIDA", nil), ("_w==", nil), ("AA===", nil), ("AA=A", nil), ("é", nil),
    ] as [(String, [UInt8]?)])
  func base64IsReadLeniently(text: String, bytes: [UInt8]?) { #expect(Base64.decode(text) == bytes) }

  @Test func bothAreWrittenAsFoundationWritesThem() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 151 + count * 7 + 250) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.encode(bytes) == text)
      #expect(Base64.decode(text) == bytes)
      let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      #expect(Base64URL.encode(bytes) == url)
      #expect(Base64URL.decode(url.utf8) == bytes)
    }
  }
}
