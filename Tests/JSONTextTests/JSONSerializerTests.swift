import JSONText
import Testing

struct JSONSerializerTests {
  private let value: JSONValue = ["b": [1, nil, []], "a": ["x": "https://a/b", "e": [:]], "é": true]

  @Test func compactKeepsTheOrderOfKeys() {
    #expect(value.text() == #"{"b":[1,null,[]],"a":{"x":"https://a/b","e":{}},"é":true}"#)
  }

  @Test func sortsKeysOnRequest() {
    #expect(
      value.text(JSONFormat(sortsKeys: true)) == #"{"a":{"e":{},"x":"https://a/b"},"b":[1,null,[]],"é":true}"#)
  }

  @Test func prettyIndentsByTwoSpaces() {
    let expected = """
      {
        "b": [
          1,
          null,
          []
        ],
        "a": {
          "x": "https://a/b",
          "e": {}
        },
        "é": true
      }
      """
    #expect(value.text(.pretty) == expected)
  }

  @Test func escapesWhatMustBeEscaped() {
    #expect(
      JSONValue.string("\u{0}\u{1F}\"\\/\u{8}\u{C}\n\r\t\u{7F}").text()
        == "\"\\u0000\\u001f\\\"\\\\/\\b\\f\\n\\r\\t\u{7F}\"")
  }

  @Test func membersAreSetInPlace() {
    var object = JSONObject([("a", 1), ("b", 2)])
    object.set("a", 3)
    #expect(object.append("b", 4) == false)
    let isNew = object.append("c", 5)
    #expect(isNew)
    #expect(JSONValue.object(object).text() == #"{"a":3,"b":2,"c":5}"#)
    object.remove("b")
    #expect(object.keys == ["a", "c"])
    for index in 0..<40 { object.set("k\(index)", .integer(index)) }
    object.set("k7", "seven")
    object.remove("k3")
    #expect(object["k7"] == "seven")
    #expect(object["k39"] == 39)
    #expect(object["k3"] == nil)
    #expect(object.count == 41)
  }
}
