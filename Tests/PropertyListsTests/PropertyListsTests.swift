import Foundation
import TestSupport
import Testing

@testable import PropertyLists

@Suite struct PropertyListsTests {
  private func xml(_ body: String) -> [UInt8] { Array("<plist version=\"1.0\">\(body)</plist>".utf8) }

  private func problem(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) -> String {
    do throws(PropertyListFailure) {
      return "\(try PropertyList.parse(bytes, limits: limits))"
    } catch { return error.sentence }
  }

  private static let value: PropertyList = .dictionary(
    PropertyDictionary([
      ("BAAppGroupID", .string("group.com.example.game")), ("n", .integer(-5)), ("big", .integer(1 << 40)),
      ("r", .real(1.5)), ("f", .bool(true)), ("list", .array([.string("a"), .bool(false), .data([1, 2])])),
      ("uni", .string("grün ☃")), ("empty", .dictionary(PropertyDictionary())),
      ("many", .array((0..<20).map { .integer($0) })),
    ]))

  @Test func whatIsWrittenIsReadAgain() throws {
    let bytes = Array(Self.value.xml.utf8)
    #expect(try PropertyList.parse(bytes) == Self.value)
    // Another reader agrees.
    let object = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    #expect(object?["uni"] as? String == "grün ☃")
    #expect((object?["many"] as? [Int])?.count == 20)
  }

  @Test func binaryListsAreRead() throws {
    let text = """
      62706c6973743030d90102030405060708090a0b0c0d0e0f1314155c424141707047726f75704944516e5362696751725166546c69737453\
      756e6955656d707479546d616e795f101667726f75702e636f6d2e6578616d706c652e67616d6513fffffffffffffffb1300000100000000\
      00233ff800000000000009a3101112516108420102660067007200fc006e00202603d0af1014161718191a1b1c1d1e1f2021222324252627\
      28291000100110021003100410051006100710081009100a100b100c100d100e100f1010101110121013081b282a2e3032373b41465f6871\
      7a7b7f8182859293aaacaeb0b2b4b6b8babcbec0c2c4c6c8caccced00000000000000101000000000000002a000000000000000000000000\
      000000d2
      """
    let digits = Array(text.utf8)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    #expect(try PropertyList.parse(bytes) == Self.value)
    // Each change of one byte is a list, or a sentence, and never the end of the process.
    for index in bytes.indices {
      for flip in [0x01, 0x80, 0xFF] as [UInt8] {
        var hostile = bytes
        hostile[index] ^= flip
        _ = problem(hostile)
      }
      _ = problem(Array(bytes[..<index]))
    }
  }

  @Test func datesGoBothWays() throws {
    for (text, seconds) in [
      ("2001-01-01T00:00:00Z", 0.0), ("2026-03-01T12:34:56Z", 794_061_296), ("2000-02-29T23:59:59Z", -26_438_401),
      ("1970-01-01T00:00:00Z", -978_307_200),
    ] {
      #expect(PropertyListDate.seconds(text) == seconds, "\(text)")
      #expect(PropertyListDate.text(seconds) == text)
    }
    for wrong in [
      "", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01t00:00:00Z",
      "2026-01-01 00:00:00Z", "2026-01-01T00:00:00z", "2026-01-01T00:00:00+00:00",
    ] {
      #expect(PropertyListDate.seconds(wrong) == nil)
    }
    #expect(PropertyListDate.text(.nan) == "2001-01-01T00:00:00Z")
    #expect(PropertyListDate.text(.infinity).count == 20)
    #expect(PropertyListDate.text(1e300) == "9999-12-31T23:59:59Z")
    #expect(PropertyListDate.text(-1e300) == "0000-01-01T00:00:00Z")
  }

  @Test(arguments: [
    ("<string>a &amp; b &lt;&#x41;&#66;</string>", PropertyList.string("a & b <AB")),
    ("<string><![CDATA[<x>]]>y</string>", .string("<x>y")), ("<string/>", .string("")),
    ("<!-- c --><true/>", .bool(true)), ("<false></false>", .bool(false)), ("<integer>0x1F</integer>", .integer(31)),
    ("<integer> -7 </integer>", .integer(-7)), ("<array/>", .array([])), ("<dict/>", .dictionary(PropertyDictionary())),
    ("<data> AQI=\n</data>", .data([1, 2])), ("<date>2001-01-01T00:00:01Z</date>", .date(1)),
    ("<real>2.5</real>", .real(2.5)),
  ])
  func elementsAreRead(body: String, expected: PropertyList) throws {
    #expect(try PropertyList.parse(xml(body)) == expected)
  }

  @Test func aListFromXcodeIsRead() throws {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- made by hand -->
      <plist version="1.0">
      <dict>
      \t<key>BAHasManagedAssetPacks</key>
      \t<true/>
      </dict>
      </plist>
      """
    #expect(try PropertyList.parse(Array(text.utf8))["BAHasManagedAssetPacks"] == .bool(true))
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("{ a = b; }", "line 1: expected XML or a binary property list; convert other forms with plutil -convert xml1"),
    ("<html></html>", "line 1: expected <plist>, found <html>"),
    ("<plist><dict>\n<key>a</key></dict></plist>", "line 2: expected the value of the key \"a\", found </dict>"),
    (
      "<plist><dict><key>a</key><true/>\n<key>a</key><true/></dict></plist>",
      "line 2: the key \"a\" appears twice in one dictionary"
    ),
    ("<plist><dict><string>a</string></dict></plist>", "line 1: expected <key> in a dictionary, found <string>"),
    ("<plist><integer>12x</integer></plist>", "line 1: expected an integer in <integer>, found \"12x\""),
    ("<plist><string>&bomb;</string></plist>", "line 1: &bomb; is not a known entity"),
    (
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>",
      "line 1: expected a document type without declarations of its own"
    ),
    ("<plist><array><true/>", "line 1: expected </array>, found the end of the text"),
    ("<plist><true/></plist><x/>", "line 1: expected nothing after </plist>"),
    ("<plist><wrong/></plist>", "line 1: expected an element of a property list, found <wrong/>"),
    ("bplist0", "the binary property list is cut short"),
    ("bplist15", "it is a binary property list of a version that is not known, expected bplist00"),
  ])
  func faultsAreNamed(text: String, sentence: String) {
    #expect(problem(Array(text.utf8)) == sentence)
  }

  @Test func sizeAndDepthAreLimited() {
    var limits = PropertyListLimits()
    limits.values = 10
    let many = String(repeating: "<true/>", count: 20)
    #expect(problem(xml("<array>\(many)</array>"), limits: limits) == "line 1: it has more than 10 values")
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(problem(xml(deep)) == "line 1: it is nested deeper than 32 levels")
    limits.bytes = 4
    #expect(problem(xml("<true/>"), limits: limits) == "it has 36 bytes, expected at most 4")
  }

  @Test func aBinaryListThatNamesItselfIsRefused() {
    // One array whose only element is itself.
    var bytes = Array("bplist00".utf8) + [0xA1, 0x00] + [0x08]
    bytes += [UInt8](repeating: 0, count: 6) + [1, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(problem(bytes) == "it is nested deeper than 32 levels")
  }

  @Test func manyRandomChangesOfXMLNeverTrap() {
    let bytes = Array(Self.value.xml.utf8)
    var generator = SeededGenerator(1)
    for _ in 0..<3000 {
      var hostile = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) where hostile.count > 1 {
        let index = Int.random(in: hostile.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: hostile[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: hostile.remove(at: index)
        default: hostile = Array(hostile[..<max(1, index)])
        }
      }
      _ = problem(hostile)
    }
  }
}
