import Testing
import Values

@Suite struct MessageTextTests {
  static let invisible: [(Unicode.Scalar, String)] = [
    ("\0", "\\u{0}"), ("\n", "\\u{a}"), ("\u{1b}", "\\u{1b}"), ("\u{7f}", "\\u{7f}"), ("\u{85}", "\\u{85}"),
    ("\u{61c}", "\\u{61c}"), ("\u{200e}", "\\u{200e}"), ("\u{200f}", "\\u{200f}"), ("\u{2028}", "\\u{2028}"),
    ("\u{2029}", "\\u{2029}"), ("\u{202a}", "\\u{202a}"), ("\u{202e}", "\\u{202e}"), ("\u{2066}", "\\u{2066}"),
    ("\u{2069}", "\\u{2069}"), ("\u{feff}", "\\u{feff}"),
  ]

  @Test(arguments: invisible) func whatIsInvisibleIsEscaped(_ scalar: Unicode.Scalar, _ text: String) {
    #expect(escaped("a\(scalar)b") == "a\(text)b")
    #expect(quoted("a\(scalar)b") == "\"a\(text)b\"")
    #expect(quoted(scalar) == "\"\(text)\"")
  }

  @Test func theRestStays() {
    #expect(escaped("ä 🎮\\\"\u{301}") == "ä 🎮\\\"\u{301}")
    #expect(quoted("") == "\"\"")
    #expect(quoted(String(repeating: "ä", count: 60)) == "\"\(String(repeating: "ä", count: 60))\"")
    #expect(quoted(String(repeating: "ä", count: 61)) == "\"\(String(repeating: "ä", count: 60))…\"")
  }

  @Test func aClauseBecomesASentence() {
    #expect(asSentence("it is empty") == "it is empty.")
    #expect(asSentence("did you mean \"a\"?") == "did you mean \"a\"?")
  }
}
