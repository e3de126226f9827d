import Testing

@testable import packhouse

@Suite struct ProgramTests {
  @Test func everyVerbHasHelpAndSaysWhatItDoes() {
    for verb in Program.verbs {
      #expect(verb.summary.hasSuffix("."), "\(verb.name)")
      #expect(verb.help.hasPrefix("\(verb.summary)\n\nUsage: packhouse \(verb.name)"), "\(verb.name)")
      #expect(Program.run(["packhouse"] + verb.words + ["--help"]) == 0, "\(verb.name)")
    }
  }

  @Test(arguments: [
    (["pack", "inspekt"], 64), (["nonsense"], 64), (["push"], 64), (["serve"], 64),
    (["serve", "--config", "/nowhere"], 78),
    (["pack", "inspect", "/nowhere.aar"], 66), (["pack", "package", "/nowhere.json", "-o", "/tmp/x.aar"], 66),
    (["push", "/nowhere.aar", "--app", "a"], 64), (["release", "--app", "a", "--track", "moon", "p"], 64),
    (["review", "submit", "--app", "a", "--track", "internal", "p"], 64), (["review", "show"], 64),
    (["review", "reject", "--app", "a", "--track", "beta"], 64), (["review", "approve", "p@0"], 64),
    (["release", "--app", "a", "--track", "beta", "p@x"], 64), (["dev", "--listen", "8443"], 64), (["--version"], 0),
    ([], 0),
  ])
  func exitCodesAreThoseOfSysexits(words: [String], code: Int) {
    #expect(Program.run(["packhouse"] + words) == Int32(code))
  }
}
