import JSONText
import Testing

struct JSONCursorTests {
  private enum Color: String, CaseIterable { case red, green }

  private let root = JSONCursor([
    "data": [
      "type": "files", "size": "12", "count": 300, "list": [1, "two"], "nothing": nil, "flag": 1, "half": 0,
      "color": "blue", "a/b~c": true,
    ]
  ])

  private func sentence(_ body: () throws -> Void) -> String? {
    #expect(throws: JSONShapeFailure.self) { try body() }?.sentence
  }

  @Test func readsTypedValues() throws {
    let data = try root.object(allowing: ["data"]).required("data").object()
    #expect(try data.required("type").string() == "files")
    #expect(try data.required("count").integer(in: 0...300) == 300)
    #expect(try data.required("list").array().map(\.path.pointer) == ["/data/list/0", "/data/list/1"])
    #expect(try data.required("a/b~c").bool())
    #expect(data.optional("nothing") == nil)
    #expect(data.present("nothing") != nil)
    #expect(data.optional("absent") == nil)
    #expect(try JSONCursor("red").choice(of: Color.self) == .red)
  }

  @Test func saysWhatWasExpectedAndFound() throws {
    let data = try root.object().required("data").object()
    #expect(
      sentence { _ = try data.required("size").integer() }
        == "wrong type at /data/size: expected an integer, found a string")
    #expect(
      sentence { _ = try data.required("list").array()[1].integer() }
        == "wrong type at /data/list/1: expected an integer, found a string")
    #expect(
      sentence { _ = try data.required("fileName", expected: "a string") }
        == "missing at /data/fileName: expected a string, found nothing")
    #expect(
      sentence { _ = try data.required("count").integer(in: 1...200) }
        == "wrong value at /data/count: expected an integer from 1 to 200, found 300")
    #expect(
      sentence { _ = try data.required("count").integer(in: 500 ... .max) }
        == "wrong value at /data/count: expected an integer of at least 500, found 300")
    #expect(
      sentence { _ = try data.required("type").string(bytes: 1...3) }
        == "wrong value at /data/type: expected a string of 1 to 3 bytes, found 5 bytes")
    #expect(
      sentence { _ = try data.required("color").choice(of: Color.self) }
        == "wrong value at /data/color: expected one of \"red\", \"green\", found \"blue\"")
    #expect(
      sentence { _ = try data.required("flag").bool() }
        == "wrong type at /data/flag: expected true or false, found an integer")
    #expect(
      sentence { _ = try data.required("list").array(maximum: 1) }
        == "wrong value at /data/list: expected at most 1 elements, found 2 elements")
    #expect(
      sentence { _ = try data.required("a/b~c").object() }
        == "wrong type at /data/a~1b~0c: expected an object, found a boolean")
    #expect(sentence { _ = try root.array() } == "wrong type at the root: expected an array, found an object")
    #expect(
      sentence { _ = try JSONCursor(.number(JSONNumber(1.5)!)).integer() }
        == "wrong type at the root: expected an integer, found a number with a fraction or exponent")
    let tooLarge = try JSONParser.parse("99999999999999999999").cursor
    #expect(
      sentence { _ = try tooLarge.integer() }
        == "wrong value at the root: expected an integer that fits in 64 bits, found 99999999999999999999")
  }

  @Test func namesTheNearestKnownKey() throws {
    let object = JSONCursor(["fielSize": 1, "zebra": 2], path: ["data"])
    #expect(
      sentence { _ = try object.object(allowing: ["fileSize", "fileName"]) }
        == "unknown key at /data/fielSize: unknown key \"fielSize\", did you mean \"fileSize\"?")
    let all = try object.object().unknownKeys(allowing: ["fileSize", "fileName"]).map(\.keyPathSentence)
    #expect(all.count == 2)
    #expect(
      all[1] == "unknown key at data.zebra: unknown key \"zebra\", known are \"fileSize\", \"fileName\"")
  }

  @Test func pathsRenderAsPointerAndKeyPath() {
    let path = JSONPath([.key("listeners"), .key("client"), .index(0), .key("a.b/c")])
    #expect(path.pointer == "/listeners/client/0/a.b~1c")
    #expect(path.keyPath == "listeners.client[0].a.b/c")
    #expect(JSONPath.root.pointer == "")
  }
}
