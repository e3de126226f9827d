import Testing

/// The rules of CONTRIBUTING.md on names and tables.
@Suite struct FinalShapeTests {
  private func report(_ violations: [String]) {
    for violation in violations { Issue.record(Comment(rawValue: violation)) }
  }

  @Test func filesAreNamedAfterTheirMainType() throws {
    let files = try ProjectTree.swiftFiles("Sources/")
    let types = TypeNameRule.types(in: files)
    report(files.flatMap { FileNameRule.violations(in: $0, types: types) })
  }

  @Test func noTwoTypesHaveOneName() throws {
    report(TypeNameRule.violations(in: try ProjectTree.swiftFiles("Sources/")))
  }

  @Test func refusalTablesNameEachCase() throws {
    report(try ProjectTree.swiftFiles("Sources/").flatMap { RefusalTableRule.violations(in: $0) })
  }
}
