import Testing

@testable import AssetPacks

@Suite struct KeyValuesTests {
  @Test func nodesKeepTheirOrderAndLines() throws {
    let text = """
      // a comment
      "DepotBuildConfig" {
        "DepotID" "1001" // another
        ContentRoot D:\\game\\
        "Empty" ""
        "A" { "B" { } "b" "2" }
      }
      """
    let nodes = try KeyValuesParser.parse(Array(text.utf8))
    #expect(
      nodes == [
        KeyValues(
          key: "DepotBuildConfig",
          value: .nodes([
            KeyValues(key: "DepotID", value: .text("1001"), line: 3),
            KeyValues(key: "ContentRoot", value: .text("D:\\game\\"), line: 4),
            KeyValues(key: "Empty", value: .text(""), line: 5),
            KeyValues(
              key: "A",
              value: .nodes([
                KeyValues(key: "B", value: .nodes([]), line: 6), KeyValues(key: "b", value: .text("2"), line: 6),
              ]), line: 6),
          ]), line: 2)
      ])
    #expect(nodes[0].isNamed("depotbuildconfig"))
  }

  @Test func aBackslashBeforeAQuoteIsThePathsOwn() throws {
    let nodes = try KeyValuesParser.parse(Array(#""ContentRoot"  "D:\MyGame\rel\" "x" "y""#.utf8))
    #expect(nodes.map(\.value) == [.text("D:\\MyGame\\rel\\"), .text("y")])
  }

  @Test func aByteOrderMarkAndWindowsLineEndsAreFine() throws {
    let nodes = try KeyValuesParser.parse(Array("\u{FEFF}\"a\" \"1\"\r\n\r\n\"b\" \"2\"\r\n".utf8))
    #expect(
      nodes == [KeyValues(key: "a", value: .text("1"), line: 1), KeyValues(key: "b", value: .text("2"), line: 3)])
  }

  @Test(arguments: [
    ("\"a\" {", "line 1: expected a key or }, found the end of the text"),
    ("\n\"a\" }", "line 2: expected a value or { after the key \"a\", found }"),
    ("\"a\"", "line 1: expected a value or { after the key \"a\", found the end of the text"),
    ("}", "line 1: expected a key, found }"), ("{ }", "line 1: expected a key, found {"),
    ("\"a\" \"b", "line 1: expected \" before the end of the text"),
    ("\"a\" \"b\n\"", "line 1: expected \" before the end of the line"),
    ("#include \"x.vdf\"", "line 1: \"#include\" includes another file, which is not supported; put its text here"),
    (
      "\"a\" \"b\" [$WIN32]",
      "line 1: the condition \"[$WIN32]\" is not supported; keep the lines that are meant and take it out"
    ),
    ("\"a\" \"b\u{7}\"", "line 1: expected no control characters, found \"\\u{7}\""),
  ])
  func namesTheLineOfWhatIsWrong(_ text: String, _ expected: String) {
    #expect(sentence { _ = try KeyValuesParser.parse(Array(text.utf8)) } == expected)
  }

  @Test func deepNestingIsRefusedAndNotFollowed() {
    let text = String(repeating: "\"a\" { ", count: 100_000)
    let found = sentence { _ = try KeyValuesParser.parse(Array(text.utf8)) }
    #expect(found == "line 1: expected at most 16 levels of braces, found more")
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(sentence { _ = try KeyValuesParser.parse([0x22, 0xFF, 0x22]) }.contains("expected UTF-8 text"))
    let long = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
    #expect(sentence { _ = try KeyValuesParser.parse(long) }.contains("expected at most 1048576 bytes"))
  }
}

/// The sentence of the failure of `body`.
func sentence(_ body: () throws -> Void) -> String {
  do {
    try body()
  } catch let error as AssetPackFailure {
    return error.sentence
  } catch {
    return "\(error)"
  }
  return "nothing was thrown"
}
