import JSONText
import Testing

/// RFC 8259 corner cases, written for this test.
struct JSONParserTests {
  static let accepted: [(text: String, compact: String)] = [
    ("{}", "{}"), ("[]", "[]"), (" \t\r\n[ ] \n", "[]"), ("null", "null"), ("true", "true"), ("false", "false"),
    ("\"\"", "\"\""), ("0", "0"), ("-0", "-0"), ("-0.0", "-0.0"), ("1e5", "1e5"), ("1E+05", "1E+05"),
    ("1.5e-3", "1.5e-3"),
    ("123456789012345678901234567890", "123456789012345678901234567890"), ("1e99999", "1e99999"),
    ("0.10", "0.10"), ("[1,2,[3,{\"a\":[]}]]", "[1,2,[3,{\"a\":[]}]]"), ("{\"\":0}", "{\"\":0}"),
    ("{\"b\":1,\"a\":2}", "{\"b\":1,\"a\":2}"), (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
    (#""\u0041\u00e9\u20AC""#, "\"Aé€\""), (#""\ud83d\ude00""#, "\"😀\""), (#""\u0000\u001f""#, #""\u0000\u001f""#),
    ("\"\u{7F}\u{2028}\u{FFFF}\u{10FFFF}\"", "\"\u{7F}\u{2028}\u{FFFF}\u{10FFFF}\""), (#""\\u0041""#, #""\\u0041""#),
    ("\"a/b\"", "\"a/b\""), ("{\"A\":1,\"a\":2}", "{\"A\":1,\"a\":2}"), ("[\"\u{FEFF}\"]", "[\"\u{FEFF}\"]"),
  ]

  @Test(arguments: accepted)
  func acceptsAndKeeps(_ vector: (text: String, compact: String)) throws {
    #expect(try JSONParser.parse(vector.text).root.text() == vector.compact)
    #expect(try JSONParser.parse(vector.text, dialect: .relaxed).root.text() == vector.compact)
    let pretty = try JSONParser.parse(vector.text).root.serialize(.pretty)
    #expect(try JSONParser.parse(pretty).root.text() == vector.compact)
  }

  static let refused: [(text: String, sentence: String)] = [
    ("", "line 1, column 1: expected a value, found the end of the document"),
    ("  \n ", "line 2, column 2: expected a value, found the end of the document"),
    ("[", "line 1, column 2: expected a value, found the end of the document"),
    ("[1", "line 1, column 3: expected a comma or the closing bracket of the array, found the end of the document"),
    ("[1,]", "line 1, column 4: expected a value, found \"]\""),
    ("[,1]", "line 1, column 2: expected a value, found \",\""),
    ("[1 2]", "line 1, column 4: expected a comma or the closing bracket of the array, found \"2\""),
    ("]", "line 1, column 1: expected a value, found \"]\""),
    ("[1}", "line 1, column 3: expected a comma or the closing bracket of the array, found \"}\""),
    ("{", "line 1, column 2: expected a key in double quotes, found the end of the document"),
    ("{\"a\"}", "line 1, column 5: expected a colon after the key \"a\", found \"}\""),
    ("{\"a\":}", "line 1, column 6: expected a value, found \"}\""),
    ("{\"a\":1,}", "line 1, column 8: expected a key in double quotes, found \"}\""),
    ("{\"a\":1 \"b\":2}", "line 1, column 8: expected a comma or the closing brace of the object, found \"\"\""),
    ("{a:1}", "line 1, column 2: expected a key in double quotes, found \"a\""),
    ("{'a':1}", "line 1, column 2: expected a key in double quotes, found \"'\""),
    ("{1:1}", "line 1, column 2: expected a key in double quotes, found \"1\""),
    ("{\n  \"a\": 1,\n  \"a\": 2\n}", "line 3, column 3: expected each key once, found the key \"a\" a second time"),
    (#"{"a":1,"\u0061":2}"#, "line 1, column 8: expected each key once, found the key \"a\" a second time"),
    ("1 2", "line 1, column 3: expected the end of the document, found \"2\""),
    ("{} //", "line 1, column 4: expected the end of the document, found a comment"),
    ("/**/1", "line 1, column 1: expected a value, found a comment"),
    ("01", "line 1, column 1: expected a number without leading zeros, found \"01\""),
    ("-", "line 1, column 2: expected a digit, found the end of the document"),
    ("--1", "line 1, column 2: expected a digit, found \"-\""),
    ("+1", "line 1, column 1: expected a value, found \"+\""),
    (".5", "line 1, column 1: expected a value, found \".\""),
    ("5.", "line 1, column 3: expected a digit after the point, found the end of the document"),
    ("1.e1", "line 1, column 3: expected a digit after the point, found \"e1\""),
    ("1e", "line 1, column 3: expected a digit of the exponent, found the end of the document"),
    ("1e+", "line 1, column 4: expected a digit of the exponent, found the end of the document"),
    ("0x10", "line 1, column 2: expected the end of the number, found \"x10\""),
    ("1a", "line 1, column 2: expected the end of the number, found \"a\""),
    ("-01", "line 1, column 2: expected a number without leading zeros, found \"01\""),
    ("NaN", "line 1, column 1: expected a value, found \"NaN\""),
    ("-Infinity", "line 1, column 2: expected a digit, found \"Infinity\""),
    ("True", "line 1, column 1: expected a value, found \"True\""),
    ("nulls", "line 1, column 1: expected a value, found \"nulls\""),
    ("tru", "line 1, column 1: expected a value, found \"tru\""),
    ("'a'", "line 1, column 1: expected a value, found \"'\""),
    (
      "\"a",
      "line 1, column 1: expected a string that ends with a closing quote, found the end of the document inside it"
    ),
    ("\"\\", "line 1, column 3: expected a character after the backslash, found the end of the document"),
    ("\"a\tb\"", "line 1, column 3: expected a closing quote, or control characters written as escapes, found a tab"),
    (
      "\"\n\"",
      "line 1, column 2: expected a closing quote, or control characters written as escapes, "
        + "found the end of the line"
    ),
    (
      "\"\u{0}\"",
      "line 1, column 2: expected a closing quote, or control characters written as escapes, "
        + "found the control character U+0000"
    ),
    (#""\a""#, #"line 1, column 3: expected one of the escapes \" \\ \/ \b \f \n \r \t \u, found "a""#),
    (#""\u12g4""#, "line 1, column 6: expected 4 hexadecimal digits, found \"g4\""),
    (#""\u12""#, "line 1, column 6: expected 4 hexadecimal digits, found \"\"\""),
    (#""\ud800""#, "line 1, column 2: expected a pair of surrogate escapes that makes a character, found half of one"),
    (
      #""\udc00\ud800""#,
      "line 1, column 2: expected a pair of surrogate escapes that makes a character, found half of one"
    ),
    (
      #""\ud800\u0041""#,
      "line 1, column 2: expected a pair of surrogate escapes that makes a character, found half of one"
    ),
    ("\u{FEFF}{}", "line 1, column 1: expected a value, found a byte order mark"),
    ("\u{A0}1", "line 1, column 1: expected a value, found \"\u{A0}\""),
    ("[\u{C}1]", "line 1, column 2: expected a value, found the control character U+000C"),
    ("[é]", "line 1, column 2: expected a value, found \"é\""),
    ("[\"é😀\" x]", "line 1, column 7: expected a comma or the closing bracket of the array, found \"x\""),
    ("[\r\n1,\r2,\n\u{1}]", "line 4, column 1: expected a value, found the control character U+0001"),
  ]

  @Test(arguments: refused)
  func refusesWithLineAndColumn(_ vector: (text: String, sentence: String)) {
    let failure = #expect(throws: JSONFailure.self) { try JSONParser.parse(vector.text) }
    #expect(failure?.sentence == vector.sentence)
  }

  static let invalidUTF8: [(bytes: [UInt8], column: Int)] = [
    ([0x22, 0xFF, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
    ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2), ([0x22, 0xE2, 0x82, 0x22], 2), ([0x22, 0x61, 0xE2, 0x82], 3),
    ([0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], 2), ([0x80], 1), ([0xFE, 0xFF, 0x00, 0x7B], 1),
  ]

  @Test(arguments: invalidUTF8)
  func refusesWhatIsNotUTF8(_ vector: (bytes: [UInt8], column: Int)) {
    for dialect in [JSONDialect.strict, .relaxed] {
      let failure = #expect(throws: JSONFailure.self) { try JSONParser.parse(vector.bytes, dialect: dialect) }
      #expect(
        failure?.sentence
          == "line 1, column \(vector.column): expected UTF-8 text, found bytes that are not UTF-8")
    }
  }

  @Test func boundsDepth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONParser.parse(nested(64)) }
    let failure = #expect(throws: JSONFailure.self) { try JSONParser.parse(nested(65)) }
    #expect(
      failure?.sentence
        == "line 1, column 65: expected at most 64 arrays and objects inside each other, found one more")
    #expect(throws: JSONFailure.self) { try JSONParser.parse(String(repeating: "{\"a\":", count: 1_000_000)) }
    #expect(throws: JSONFailure.self) { try JSONParser.parse("[]", limits: JSONLimits(depth: 0)) }
    #expect(throws: Never.self) { try JSONParser.parse("1", limits: JSONLimits(depth: 0)) }
    // However high the limit is set, the parser's own recursion stays bounded.
    #expect(throws: JSONFailure.self) {
      try JSONParser.parse(nested(100_000), limits: JSONLimits(depth: .max))
    }
  }

  @Test func boundsSize() {
    let failure = #expect(throws: JSONFailure.self) {
      try JSONParser.parse("[1,2,3]", limits: JSONLimits(byteCount: 6))
    }
    #expect(failure?.sentence == "the document is too large: expected at most 6 bytes, found 7 bytes")
  }

  @Test func keepsNumbersAsTheyAreWritten() throws {
    let numbers = try #require(
      JSONParser.parse("[3, 3.0, -7, 9223372036854775807, 9223372036854775808, 1e2]").root.array)
    #expect(numbers.map(\.int) == [3, nil, -7, .max, nil, nil])
    guard case .number(let last) = numbers[5] else { return #expect(Bool(false)) }
    #expect(last.double == 100)
    #expect(try JSONParser.parse("1e999").root.kind == "a number with a fraction or exponent")
    #expect(JSONNumber(1e20)?.literal == "1e+20")
    #expect(JSONNumber(.infinity) == nil)
  }

  @Test func namesThePlaceOfValues() throws {
    let document = try JSONParser.parse("{\n  \"a\": [1,\n    {\"é\": \"x\", \"b\": 2}],\n  \"c\":\n    null\n}")
    #expect(document.position(of: .root) == TextPosition(line: 1, column: 1))
    #expect(document.position(of: JSONPath([.key("a"), .index(0)])) == TextPosition(line: 2, column: 9))
    #expect(document.position(of: JSONPath([.key("a"), .index(1), .key("b")])) == TextPosition(line: 3, column: 21))
    #expect(
      document.positionOfKey(of: JSONPath([.key("a"), .index(1), .key("b")])) == TextPosition(line: 3, column: 16))
    #expect(document.position(of: ["c"]) == TextPosition(line: 5, column: 5))
    #expect(document.positionOfKey(of: ["c"]) == TextPosition(line: 4, column: 3))
    #expect(document.position(of: ["d"]) == nil)
    #expect(document.position(of: ["c", "d"]) == nil)
    #expect(document.nearestPosition(to: ["c", "d"]) == TextPosition(line: 4, column: 3))
  }
}
