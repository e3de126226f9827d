import AssetPacks
import Testing

struct GlobPatternTests {
  static let table: [(pattern: String, matching: [String], other: [String])] = [
    ("a.txt", ["a.txt"], ["A.txt", "b/a.txt", "a.txt2", ""]),
    ("*.png", ["a.png", ".png"], ["a/b.png", "a.pngx"]),
    ("a/*/c", ["a/b/c", "a//c"], ["a/c", "a/b/b/c"]),
    ("?.png", ["a.png", "é.png"], ["ab.png", ".png", "/.png"]),
    ("**", ["a", "a/b/c"], []),
    ("**/*.png", ["a.png", "x/a.png", "x/y/a.png"], ["a.jpg"]),
    ("Levels/**", ["Levels/a", "Levels/a/b"], ["Levels", "Levels2/a", "x/Levels/a"]),
    ("a/**/z", ["a/z", "a/b/z", "a/b/c/z"], ["az", "a/bz", "xa/z"]),
    ("**/z", ["z", "b/z"], ["bz"]),
    ("a**z", ["az", "a/b/z"], ["a/b"]),
    ("[a-c]x", ["ax", "cx"], ["dx", "x"]),
    ("[!a-c]x", ["dx"], ["ax", "/x"]),
    ("[^ab]x", ["cx"], ["ax"]),
    ("[]]x", ["]x"], ["x"]),
    ("[a-]x", ["ax", "-x"], ["bx"]),
    ("\\*.txt", ["*.txt"], ["a.txt"]),
    ("{a,b}", ["{a,b}"], ["a"]),
  ]

  @Test(arguments: table)
  func matches(_ row: (pattern: String, matching: [String], other: [String])) throws {
    let pattern = try GlobPattern(row.pattern)
    for path in row.matching { #expect(pattern.matches(path), "\(row.pattern) should match \(path)") }
    for path in row.other { #expect(!pattern.matches(path), "\(row.pattern) should not match \(path)") }
  }

  @Test(arguments: [
    ("", "\"\" is not a file pattern: expected 1 to 1024 bytes, found 0"),
    ("/a", "\"/a\" is not a file pattern: expected a relative pattern, found one that begins with /"),
    ("a/../b", "\"a/../b\" is not a file pattern: expected no empty parts, \".\" and \"..\" between slashes"),
    ("a/", "\"a/\" is not a file pattern: expected no empty parts, \".\" and \"..\" between slashes"),
    ("[ab", "\"[ab\" is not a file pattern: expected a ] that closes the ["),
    ("[]", "\"[]\" is not a file pattern: expected a ] that closes the ["),
    ("[z-a]", "\"[z-a]\" is not a file pattern: expected a range that rises, found z-a"),
    ("a\\", "\"a\\\" is not a file pattern: expected a character after the backslash, found the end"),
  ])
  func refuses(_ text: String, _ sentence: String) {
    #expect(failure { _ = try GlobPattern(text) } == sentence)
  }

  @Test func manyStarsTakeLinearTime() throws {
    let pattern = try GlobPattern(String(repeating: "*a", count: 200) + "**b")
    #expect(!pattern.matches(String(repeating: "a", count: 1000)))
    let folders = try GlobPattern(String(repeating: "**/", count: 100) + "z")
    #expect(!folders.matches(String(repeating: "a/", count: 300) + "y"))
  }
}
