import Testing

@testable import AssetPacks

@Suite struct DepotScriptTests {
  private func script(_ lines: String, name: String = "DepotBuildConfig") throws -> DepotScript {
    try DepotScript.parse(Array("\"\(name)\"\n{\n\(lines)\n}".utf8))
  }

  private func mapping(_ local: String, _ depot: String, _ recursive: String = "1") -> String {
    "\"FileMapping\" { \"LocalPath\" \"\(local)\" \"DepotPath\" \"\(depot)\" \"recursive\" \"\(recursive)\" }"
  }

  @Test func theScriptOfTheDocumentationIsRead() throws {
    let script = try script(
      """
      "DepotID" "1001"
      "ContentRoot" "D:\\MyGame\\rel\\"
      \(mapping("*", "."))
      "FileExclusion" "bin\\server.exe"
      """)
    #expect(script.contentRoot == "D:/MyGame/rel/")
    #expect(script.contentRootLine == 4)
    #expect(script.notes == ["line 3: \"DepotID\" means nothing for a pack and was left out"])
    #expect(
      try script.selectors() == [.directorySource(".", destination: "."), .fileExclusion("bin/server.exe")])
  }

  @Test(arguments: [
    ("*", ".", "1", #"{"directorySource":".","directoryDestination":"."}"#),
    (".\\*", "data\\", "1", #"{"directorySource":".","directoryDestination":"data"}"#),
    ("bin\\*", "executables\\", "1", #"{"directorySource":"bin","directoryDestination":"executables"}"#),
    ("audio/*.*", ".", "1", #"{"directorySource":"audio","directoryDestination":"."}"#),
    ("*", ".", "0", #"{"filePattern":"*"}"#), ("maps\\*", "maps", "0", #"{"filePattern":"maps/*"}"#),
    ("*.bsp", ".", "1", #"{"filePattern":"**/*.bsp"}"#),
    ("maps/*.bsp", "maps/", "1", #"{"filePattern":"maps/**/*.bsp"}"#),
    ("maps/[a]?.bsp", "maps", "0", #"{"filePattern":"maps/\\[a]?.bsp"}"#),
    ("Readme.txt", ".", "0", #"{"file":"Readme.txt"}"#),
    ("de\\install.vdf", ".", "0", #"{"fileSource":"de/install.vdf","fileDestination":"install.vdf"}"#),
    ("a.txt", "docs\\", "0", #"{"fileSource":"a.txt","fileDestination":"docs/a.txt"}"#),
    ("a.txt", "docs/b.txt", "0", #"{"fileSource":"a.txt","fileDestination":"docs/b.txt"}"#),
  ])
  func mappingsBecomeSelectors(_ local: String, _ depot: String, _ recursive: String, _ expected: String) throws {
    let selectors = try script(mapping(local, depot, recursive)).selectors()
    #expect(selectors.map { $0.json.text() } == [expected])
  }

  @Test(arguments: [("bin\\tools\\*", "bin/tools"), ("bin/tools", "bin/tools"), ("a.pdb", "a.pdb"), (".\\x\\", "x")])
  func exclusionsBecomeExclusions(_ path: String, _ expected: String) throws {
    let selectors = try script("\(mapping("*", "."))\n\"FileExclusion\" \"\(path)\"").selectors()
    #expect(selectors.last == .fileExclusion(expected))
  }

  @Test func whatCannotBeSaidNamesItsLine() throws {
    let moved = try script("\n" + mapping("maps\\*.bsp", "levels"))
    #expect(
      sentence { _ = try moved.selectors() }
        == "line 4: the wildcard \"maps/*.bsp\" with the destination \"levels\" cannot be expressed in a "
        + "packaging manifest, where patterns keep their paths; name a whole folder, or pass --expand "
        + "to write down the "
        + "files that match now"
    )
    let symbols = try script(mapping("*", ".") + "\n\"FileExclusion\" \"*.pdb\"")
    #expect(sentence { _ = try symbols.selectors() }.hasPrefix("line 4: the wildcard \"*.pdb\" cannot be expressed"))
    let folders = try script(mapping("*/maps/*", "."))
    #expect(
      sentence { _ = try folders.selectors() }
        == "line 3: expected wildcards in the last part of \"LocalPath\" only, found \"*/maps/*\"")
  }

  @Test func expandingAsksForWhatMatches() throws {
    let script = try script(mapping("maps\\*.bsp", "levels") + "\n\"FileExclusion\" \"*.pdb\"")
    var asked: [String] = []
    let selectors = try script.selectors { pattern throws(AssetPackFailure) in
      asked.append(pattern.text)
      return pattern.text == "**.pdb" ? ["x.pdb", "y/z.pdb"] : ["maps/a.bsp", "maps/n/b.bsp"]
    }
    #expect(asked == ["maps/**/*.bsp", "**.pdb"])
    #expect(
      selectors == [
        .fileSource("maps/a.bsp", destination: "levels/a.bsp"),
        .fileSource("maps/n/b.bsp", destination: "levels/n/b.bsp"),
        .fileExclusion("x.pdb"), .fileExclusion("y/z.pdb"),
      ])
    #expect(
      sentence { _ = try script.selectors { _ throws(AssetPackFailure) in [] } }
        == "line 3: the wildcard \"maps/*.bsp\" matches no file")
  }

  @Test(arguments: [
    ("", "line 1: expected at least one \"FileMapping\", found none"),
    ("\"FileMaping\" { }", "line 3: unknown key \"FileMaping\", did you mean \"FileMapping\"?"),
    ("\"FileMapping\" \"x\"", "line 3: expected { after \"FileMapping\", found a text"),
    ("\"FileMapping\" { \"LocalPath\" \"*\" }", "line 3: expected \"DepotPath\" in \"FileMapping\", found none"),
    (
      "\"FileMapping\" { \"LocalPath\" \"*\" \"LocalPath\" \"a\" }",
      "line 3: expected \"LocalPath\" once, found it again"
    ),
    (
      "\"FileMapping\" { \"LocalPath\" \"*\"\n\"Deep\" \"1\" }",
      "line 4: unknown key \"Deep\" in \"FileMapping\""
    ),
    ("\"ContentRoot\" \"a\"\n\"contentroot\" \"b\"", "line 4: expected \"ContentRoot\" once, found it again"),
    ("\"FileExclusion\" { }", "line 3: expected a text after \"FileExclusion\", found {"),
  ])
  func faultsNameTheirLine(_ lines: String, _ expected: String) {
    #expect(sentence { _ = try script(lines) } == expected)
  }

  @Test(arguments: ["D:\\game\\a.txt", "/etc/passwd", "..\\a.txt", "a//b"])
  func pathsOutsideTheContentRootAreRefused(_ path: String) throws {
    let local = try script(mapping(path, "x"))
    let found = sentence { _ = try local.selectors() }
    #expect(found.hasPrefix("line 3: ") && found.contains("LocalPath"), "\(found)")
    let depot = try script(mapping("a.txt", path))
    #expect(sentence { _ = try depot.selectors() }.contains("DepotPath"))
  }

  @Test func otherDocumentsAreNamed() {
    #expect(sentence { _ = try script("", name: "AppBuild") }.contains("convert the depot build scripts"))
    #expect(
      sentence { _ = try script("", name: "Other") }
        == "line 1: expected \"DepotBuildConfig\" or \"DepotBuild\" with braces, found \"Other\"")
    #expect(sentence { _ = try DepotScript.parse([]) }.hasSuffix("found nothing"))
    #expect(
      sentence { _ = try script(mapping("a", "b", "2")) }
        == "line 3: expected \"recursive\" to be \"0\" or \"1\", found \"2\"")
  }
}
