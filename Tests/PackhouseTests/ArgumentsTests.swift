import Testing

@testable import packhouse

@Suite struct ArgumentsTests {
  private static let verb = Verb(
    words: ["try"], summary: "Try it.", positionals: "FILE…", count: 1...2,
    options: [
      .value("output", "FILE", "Where to."), .flag("force", "Do it."), .value("only", "ID", "Which.", repeats: true),
    ]
  ) { _ in }

  private func parse(_ line: String) throws(CommandFailure) -> Arguments {
    try Arguments(line.split(separator: " ").map(String.init), for: Self.verb)
  }

  @Test func optionsMayStandAnywhereAndInBothForms() throws {
    for line in ["a --output x --force b", "--output=x a b --force", "a b --force -o x", "--force --output x -- a b"] {
      let arguments = try parse(line)
      #expect(arguments.positionals == ["a", "b"], "\(line)")
      #expect(arguments.value("output") == "x", "\(line)")
      #expect(arguments.has("force"), "\(line)")
    }
  }

  @Test func aDoubleDashEndsTheOptions() throws {
    #expect(try parse("-- --force").positionals == ["--force"])
    #expect(try !parse("-- --force").has("force"))
    #expect(try parse("-").positionals == ["-"])
  }

  @Test func repeatedOptionsKeepTheirOrder() throws {
    #expect(try parse("a --only x --only=y").all("only") == ["x", "y"])
    #expect(try parse("a --output=").value("output") == "")
    #expect(try parse("a --output=k=v").value("output") == "k=v")
  }

  @Test(arguments: [
    ("a --forse", "packhouse try has no option --forse; did you mean --force?"),
    ("a --zzzzzz", "packhouse try has no option --zzzzzz."), ("a --output", "--output needs a value: --output FILE."),
    ("a --force=1", "--force takes no value."), ("a --output x --output y", "--output may be given only once."),
    ("--force", "packhouse try takes FILE…, but got nothing; see packhouse try --help."),
    ("a b c", "packhouse try takes FILE…, but got a b c; see packhouse try --help."),
  ])
  func whatDoesNotFitIsNamed(line: String, sentence: String) {
    let failure = #expect(throws: CommandFailure.self) { try parse(line) }
    #expect(failure?.sentence == sentence)
    #expect(failure?.exitCode == ExitCode.usage.rawValue)
  }

  @Test func aMissingOptionIsNamed() throws {
    let arguments = try parse("a")
    let failure = #expect(throws: CommandFailure.self) { try arguments.required("output") }
    #expect(failure?.sentence == "--output is missing; see --help.")
  }

  @Test func theHelpShowsEveryOption() {
    #expect(
      Self.verb.help == """
        Try it.

        Usage: packhouse try FILE… [options]

          --output FILE  Where to.
          --force        Do it.
          --only ID…     Which.
          --help         Show this.

        """)
  }
}
