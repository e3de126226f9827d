import HTTPCore
import JSONText
import Testing

@testable import AdminAPI

/// Bodies that are JSON (RFC 8259), and bodies that only look like it, in the manner of collections of parser tests:
/// `n_` must be refused with 400, `y_` must not, `i_` may be either. None may end with 5xx.
@Suite struct JSONBodyTests {
  private static let no: [(String, [UInt8])] =
    texts([
      "", " ", "\n", "[", "]", "{", "}", "[[", "{{", "[}", "{]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]",
      "[1;2]", "[1]]", "[1]x", "[1],", "[]]", "[][]", "1 2", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}",
      "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\",1}", "{a:1}", "{'a':1}", "{1:1}",
      "{null:1}",
      "{[]:1}", "{\"a\":1 \"b\":2}", "{\"a\":1}{", "{\"a\":1}#", "{\"a\":1}//", "{\"a\":1}/**/", "/**/{}", "//\n{}",
      "#\n{}", "{\"a\":/*c*/1}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "nul", "nulll", "Null", "NULL", "tru",
      "truee", "True", "fals", "FALSE", "undefined", "NaN", "nan", "[NaN]", "Infinity", "-Infinity", "[Inf]", "+1",
      "[+1]",
      "01", "-01", "00", "-00", "1.", "[1.]", ".1", "[.1]", "-.1", "-", "[-]", "--1", "[- 1]", "1e", "1e+", "1e-", "1E",
      "1.e1", "1.0e", "0e", "0E+", "1eE2", "0x1", "0b1", "0o7", "1_000", "1,000", "[1 000]", "1a", "[1.2.3]", "[1+2]",
      "[-1-2]", "[1e1.5]", "'a'", "[\u{201C}a\u{201D}]", "\"", "\"a", "[\"a", "[\"a]", "a\"", "\"a\"b", "\"\\",
      "\"\\\"",
      "\"\\a\"", "\"\\x41\"", "\"\\0\"", "\"\\'\"", "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u12g4\"",
      "\"\\U0041\"", "\"\\u{41}\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"",
      "\"\\ud800x\"", "\"a\nb\"", "\"a\tb\"", "\"a\rb\"", "\"\u{0}\"", "\"\u{1f}\"", "\u{0}", "\u{c}{}", "\u{b}{}",
      "\u{a0}{}", "\u{2060}{}", "\u{feff}{}", "{}\u{feff}", "<null>", "<a/>", "*", "&", "@", "$", "\\u0041", "\\",
      "a", "é", "\u{fffd}", "[\"\", \u{1f}]", "[1,\n1\n,1", "[{}", "{\"a\":[}", "[true, fals", "{\"a\":\"a",
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 50_000),
      String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
      String(repeating: "[{\"\":", count: 20_000),
    ])
    + [
      ("a lone continuation byte", [0x22, 0x80, 0x22]), ("an overlong slash", [0x22, 0xc0, 0xaf, 0x22]),
      ("an overlong NUL", [0x22, 0xc0, 0x80, 0x22]), ("an overlong in three bytes", [0x22, 0xe0, 0x80, 0xaf, 0x22]),
      ("an overlong in six bytes", [0x22, 0xfc, 0x80, 0x80, 0x80, 0x80, 0xaf, 0x22]),
      ("a surrogate in UTF-8", [0x22, 0xed, 0xa0, 0x80, 0x22]),
      ("beyond U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]), ("a cut sequence", [0x22, 0xe2, 0x82, 0x22]),
      ("Latin-1", [0x22, 0xe9, 0x22]), ("0xFF", [0xff]), ("UTF-16 LE", [0xff, 0xfe, 0x7b, 0, 0x7d, 0]),
      ("UTF-16 BE", [0xfe, 0xff, 0, 0x7b, 0, 0x7d]), ("UTF-16 without a mark", [0, 0x7b, 0, 0x7d]),
      ("UTF-32", [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), ("a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
      ("an escape before a bad byte", [0x22, 0x5c, 0xe5, 0x22]), ("a bad byte in \\u", [0x22, 0x5c, 0x75, 0xe5, 0x22]),
      ("a bad byte behind", [0x7b, 0x7d, 0xe5]), ("a bad byte in a number", [0x5b, 0x31, 0xe5, 0x5d]),
      ("a bad byte in a key", [0x7b, 0x22, 0xb9, 0x22, 0x3a, 0x30, 0x7d]),
      ("NULs behind", [0x7b, 0x7d, 0, 0]), ("DEL between", [0x5b, 0x7f, 0x5d]),
    ]

  private static let yes: [(String, [UInt8])] = texts([
    "null", "true", "false", "0", "-0", "1", "-1", "123", "1.5", "-1.5", "1e5", "1E5", "1e+5", "1e-5", "1.5e5", "0e0",
    "0e+1", "-0.0", "1e400", "-1e-400", "123456789012345678901234567890", "0.1234567890123456789012345678901234567890",
    "\"\"", "\"a\"", "\" \"", "\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0000\"",
    "\"\\u0041\"", "\"\\u00E9\"", "\"\\ud83d\\ude00\"", "\"\\uDBFF\\uDFFF\"", "\"\\uFFFF\"", "\"\\u2028\\u2029\"",
    "\"\u{2028}\u{2029}\"", "\"é€😀\"", "\"\u{7f}\"", "\"\u{10ffff}\"", "\"\u{fffe}\"", "\"\u{feff}\"",
    "\"\\\\u0041\"", "[]", "[ ]", "[null]", "[1,2]", "[1 , 2 ]", "[[]]", "[[],[]]", "[\"a\",1,null,true,{}]", "{}",
    "{ }",
    "{\"\":0}", "{\"a\":1}", "{\"a\":1,\"b\":2}", "{\"a\":{}}", "{\"a\":[1]}", "{\"a\\u0000b\":0}", "{\"A\":1,\"a\":2}",
    " {} ", "\t{}\n", "\r\n{}\r\n", "{\"a\"\t:\n1\r}",
    String(repeating: "[", count: 32) + String(repeating: "]", count: 32),
    "\"" + String(repeating: "a", count: 500_000) + "\"", "[" + String(repeating: "0,", count: 100_000) + "0]",
    "{" + (0..<20_000).map { "\"k\($0)\":0" }.joined(separator: ",") + "}",
  ])

  private static func texts(_ texts: [String]) -> [(String, [UInt8])] {
    texts.map { (String($0.prefix(60)).debugDescription, Array($0.utf8)) }
  }

  @Test func whatIsNotJSONIs400() throws {
    let fixture = try APIFixture()
    for (name, body) in Self.no {
      let reply = fixture.send(body: body)
      #expect(reply.status == 400, "\(name): \(reply.status) \(reply.text.prefix(300))")
      #expect(reply.code == "MALFORMED_JSON", "\(name)")
    }
    #expect(Self.no.count > 150)
  }

  @Test func whatIsJSONButNoDocumentIs422() throws {
    let fixture = try APIFixture()
    for (name, body) in Self.yes {
      let reply = fixture.send(body: body)
      #expect(reply.status == 422, "\(name): \(reply.status) \(reply.text.prefix(300))")
    }
  }

  /// The same values where a value of the document is expected: the faults have pointers, and nothing traps.
  @Test func everyValueInEveryPlaceIs422() throws {
    let fixture = try APIFixture()
    for (name, bytes) in Self.yes where bytes.count < 1000 {
      let value = String(decoding: bytes, as: UTF8.self)
      for template in [
        #"{"data":@}"#, #"{"data":{"type":@}}"#, #"{"data":{"type":"apps","attributes":@}}"#,
        #"{"data":{"type":"apps","attributes":{"bundleId":@}}}"#,
        #"{"data":{"type":"apps","attributes":{"bundleId":"com.a.b","domainAllowList":@}}}"#,
        #"{"data":{"type":"apps","attributes":{"bundleId":"com.a.b","name":@,"reviewPolicy":1}}}"#,
      ] {
        let reply = fixture.send(body: Array(template.replacing("@", with: value).utf8))
        // A nested array may be deeper than bodies may be, and some texts are good names.
        let allowed: [UInt16] = [422, value.hasPrefix("[[[[") ? 400 : 422, bytes.first == 0x5b ? 422 : 201, 409]
        #expect(allowed.contains(reply.status), "\(name) in \(template): \(reply.status) \(reply.text)")
        if reply.status == 422 { #expect(!reply.errors.isEmpty) }
      }
    }
  }

  @Test func allUnknownFieldsAreNamed() throws {
    let fixture = try APIFixture()
    let reply = fixture.send(
      body: Array(
        (#"{"jsonapi":{},"data":{"type":"apps","lid":"1","attributes":{"bundelId":"x","colour":1,"bundleId":"a.b"},"#
          + #""relationships":{"team":{}},"meta":{}},"links":{}}"#).utf8))
    #expect(reply.status == 422)
    #expect(Set(reply.errors.map(\.code)) == ["UNKNOWN_FIELD"])
    #expect(
      Set(reply.errors.map(\.source)) == [
        "/jsonapi", "/links", "/data/lid", "/data/meta", "/data/attributes/bundelId", "/data/attributes/colour",
        "/data/relationships/team",
      ])
    #expect(reply.errors.count == 7)
    // A hostile body gets a bounded answer.
    let many = (0..<5000).map { "\"k\($0)\":0" }.joined(separator: ",")
    let bounded = fixture.send(body: Array("{\"data\":{\"type\":\"apps\",\"attributes\":{\(many)}}}".utf8))
    #expect(bounded.status == 422)
    #expect(bounded.errors.count == 100)
  }
}

extension APIFixture {
  fileprivate func send(body: [UInt8]) -> Reply {
    let request = OwnedRequest(
      method: .post, path: "/v1/apps", authority: "a.example", fields: [("Authorization", "Bearer \(token)")],
      body: body)
    do throws(APIFailure) { return Reply(try api.answer(request)) } catch { return Reply(error.message) }
  }
}
