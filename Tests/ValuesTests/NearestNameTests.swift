import Testing
import Values

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("fielSize", "fileSize"), ("FILESIZE", "fileSize"), ("filesize", "fileSize"), ("file", nil),
    ("fileNames", "fileName"),
    ("", nil), ("x", nil), (String(repeating: "fileSize", count: 1000), nil),
  ])
  func theNearestName(_ name: String, _ expected: String?) {
    #expect(nearest(to: name, in: ["fileName", "fileSize", "id"]) == expected)
  }
}
