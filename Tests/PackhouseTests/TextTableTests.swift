import Testing

@testable import packhouse

@Suite struct TextTableTests {
  @Test func columnsAreAsWideAsTheirLongestCell() {
    let text = TextTable.text(["NAME", "STATE", "WHY"], [["level-1", "NEW", ""], ["a", "IN_REVIEW", "so"]])
    #expect(text == "NAME     STATE      WHY\nlevel-1  NEW\na        IN_REVIEW  so\n")
    #expect(TextTable.text(["A"], []) == "A\n")
    #expect(TextTable.text(["A"], [["b\u{1B}[2J\nc\u{202E}d"]]) == "A\nb [2J c d\n")
  }

  @Test func packsAreNamedWithOrWithoutAVersion() throws {
    #expect(try PackReference("a").number == nil)
    let pinned = try PackReference("a@b@12")
    #expect(pinned.identifier == "a@b" && pinned.number == 12)
    for text in ["a@", "a@0", "a@-1", "a@x", "a@99999999999999999999"] {
      #expect(throws: CommandFailure.self) { try PackReference(text) }
    }
    #expect(pinned.matches(["attributes": ["assetPackIdentifier": "a@b", "version": "12"]]))
    #expect(!pinned.matches(["attributes": ["assetPackIdentifier": "a@b", "version": "1"]]))
    #expect(try PackReference("a").matches(["attributes": ["assetPackIdentifier": "a", "version": "1"]]))
  }
}
