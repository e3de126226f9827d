import JSONText
import Testing

struct JSONRelaxedTests {
  static let accepted: [(text: String, compact: String)] = [
    ("// a\n{} // b", "{}"), ("/* a\n * b **/ [/**/] /***/", "[]"), ("[1,2,]", "[1,2]"), ("{\"a\":1,}", "{\"a\":1}"),
    ("{a: 1, $b_2: 'x', 'c': \"d\"}", "{\"a\":1,\"$b_2\":\"x\",\"c\":\"d\"}"),
    ("'it\\'s \"so\"'", "\"it's \\\"so\\\"\""),
    ("0x1F", "31"), ("-0XfF", "-255"), ("+0x10", "16"), ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
    ("+1", "1"), (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5.0"), ("5.e3", "5.0e3"), ("+1.5", "1.5"),
    ("'a\\\nb\\\r\nc'", "\"abc\""), (#"'\x41\v\0'"#, #""A\u000b\u0000""#), ("\u{FEFF}{}", "{}"),
    ("{null: null}", "{\"null\":null}"),
    ("['//', '/*']", "[\"//\",\"/*\"]"),
  ]

  @Test(arguments: accepted)
  func acceptsWhatPeopleWrite(_ vector: (text: String, compact: String)) throws {
    #expect(try JSONParser.parse(vector.text, dialect: .relaxed).root.text() == vector.compact)
    #expect(throws: JSONFailure.self) { try JSONParser.parse(vector.text) }
  }

  static let refused: [(text: String, sentence: String)] = [
    ("[,]", "line 1, column 2: expected a value, found \",\""),
    ("[1,,]", "line 1, column 4: expected a value, found \",\""),
    ("{,}", "line 1, column 2: expected a key, found \",\""),
    ("{2a:1}", "line 1, column 2: expected a key, found \"2a\""),
    ("{a-b:1}", "line 1, column 3: expected a colon after the key \"a\", found \"-\""),
    ("Infinity", "line 1, column 1: expected a value, found \"Infinity\""),
    ("-Infinity", "line 1, column 2: expected a digit, found \"Infinity\""),
    ("NaN", "line 1, column 1: expected a value, found \"NaN\""),
    ("/* a", "line 1, column 1: expected a comment that ends with */, found the end of the document inside it"),
    ("/*/", "line 1, column 1: expected a comment that ends with */, found the end of the document inside it"),
    ("/ 1", "line 1, column 2: expected a second slash or an asterisk to begin a comment, found \" \""),
    ("// only", "line 1, column 8: expected a value, found the end of the document"),
    ("0x", "line 1, column 3: expected a hexadecimal digit, found the end of the document"),
    ("0x1G", "line 1, column 4: expected the end of the number, found \"G\""),
    ("0x10000000000000000", "line 1, column 1: expected a hexadecimal number of at most 64 bits, found a larger one"),
    (".", "line 1, column 2: expected a digit after the point, found the end of the document"),
    ("+", "line 1, column 2: expected a digit, found the end of the document"),
    ("+-1", "line 1, column 2: expected a digit, found \"-\""),
    ("010", "line 1, column 1: expected a number without leading zeros, found \"010\""),
    (#"'\q'"#, "line 1, column 3: expected an escape of JSON or JSON5, found \"q\""),
    (#"'\01'"#, "line 1, column 4: expected no digit after \\0, found \"1\""),
    (#"'\xZ0'"#, "line 1, column 4: expected 2 hexadecimal digits, found \"Z0\""),
    (#"'\ud800'"#, "line 1, column 2: expected a pair of surrogate escapes that makes a character, found half of one"),
    ("{a:1, 'a':2}", "line 1, column 7: expected each key once, found the key \"a\" a second time"),
    (
      "'a\"",
      "line 1, column 1: expected a string that ends with a closing quote, found the end of the document inside it"
    ),
  ]

  @Test(arguments: refused)
  func refusesWithLineAndColumn(_ vector: (text: String, sentence: String)) {
    let failure = #expect(throws: JSONFailure.self) { try JSONParser.parse(vector.text, dialect: .relaxed) }
    #expect(failure?.sentence == vector.sentence)
  }
}
