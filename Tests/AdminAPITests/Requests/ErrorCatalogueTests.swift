import Testing

@testable import AdminAPI

/// `docs/errors.md` lists exactly the codes of the program.
@Suite struct ErrorCatalogueTests {
  let document: Document

  init() throws { document = try Document("docs/errors.md") }

  @Test func everyCodeOfTheAdminAPIIsListedWithItsStatusAndTitle() {
    let rows = document.codeRows(below: "The admin API")
    for code in ErrorCode.allCases {
      let expected = [code.rawValue, String(code.status), code.title, code.isRetryable ? "yes" : "no"]
      let line = "| `\(code.rawValue)` | \(code.status) | \(code.title) | \(expected[3]) | when and what to do |"
      guard let row = rows.first(where: { $0.cells.first == code.rawValue }) else {
        Issue.record("docs/errors.md:1: below “The admin API” there is no row for \(code.rawValue); add \(line)")
        continue
      }
      #expect(Array(row.cells.prefix(4)) == expected, "docs/errors.md:\(row.line): the row must begin like \(line)")
      #expect(row.cells.count == 5, "docs/errors.md:\(row.line): the fifth cell says when it comes and what to do")
    }
  }

  @Test func everyListedCodeOfTheAdminAPIExistsOnce() {
    var seen: Set<String> = []
    for row in document.codeRows(below: "The admin API") {
      let code = row.cells.first ?? ""
      #expect(
        ErrorCode(rawValue: code) != nil, "docs/errors.md:\(row.line): no case of ErrorCode is \(code); remove the row")
      #expect(seen.insert(code).inserted, "docs/errors.md:\(row.line): \(code) is listed twice; remove a row")
    }
  }

  @Test func everyFaultOfAConnectionIsListedWithItsStatus() throws {
    let faults = try Document.matches(
      #"RequestFault\(\s*status: (\d+),\s*code: "(\w+)""#, below: ["Sources/HTTPCore", "Sources/HTTPServer"])
    #expect(faults.count > 25, "the faults were not found in Sources/HTTPCore; has RequestFault another shape now?")
    compare("The connection", with: faults.map { [$0[1], $0[0]] })
  }

  @Test func everyReasonForARefusedArchiveIsListed() throws {
    let codes =
      try Document.matches(#"case .*: "(ARCHIVE_\w+)""#, below: ["Sources/AppleArchive"])
      + Document.matches(#"\n\s+"(ARCHIVE_\w+)""#, below: ["Sources/AppleArchive"])
    #expect(codes.count > 45, "the codes were not found in Sources/AppleArchive; do they stand elsewhere now?")
    compare("The archive of a version", with: codes)
  }

  @Test func everyOtherMessageOfAVersionIsListedWithItsLevel() throws {
    let messages =
      try Document.matches(
        #"VersionMessage\(\s*\.(\w+),\s*code: "(\w+)""#,
        below: ["Sources/Processing", "Sources/PackStore", "Sources/AdminAPI", "Sources/Daemon"])
      + Document.matches(#"PackFinding\(\s*\.(\w+),\s*"(\w+)""#, below: ["Sources/Packing/PackPolicy.swift"])
    #expect(messages.count > 10, "the messages were not found; has VersionMessage another shape now?")
    compare("The rules for versions", with: messages.map { [$0[1], $0[0]] })
  }

  /// Compares a section with what its rows must begin with: all of it, nothing else, nothing twice.
  private func compare(_ section: String, with expected: [[String]]) {
    let rows = document.codeRows(below: section)
    for cells in expected where !rows.contains(where: { Array($0.cells.prefix(cells.count)) == cells }) {
      let line = "| \((["`\(cells[0])`"] + cells.dropFirst()).joined(separator: " | ")) | …"
      Issue.record("docs/errors.md:1: below “\(section)” no row begins with \(line); add or correct it")
    }
    let known = Set(expected.map { $0[0] })
    var seen: Set<String> = []
    for row in rows {
      let code = row.cells.first ?? ""
      #expect(known.contains(code), "docs/errors.md:\(row.line): the program has no \(code) any more; remove the row")
      #expect(seen.insert(code).inserted, "docs/errors.md:\(row.line): \(code) is listed twice; remove a row")
    }
  }
}
