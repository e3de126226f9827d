import Foundation
import PackStore
import Testing

@testable import AdminAPI

/// `docs/errors.md` lists exactly the codes of the program.
@Suite struct ErrorCatalogueTests {
  let document: Document

  init() throws { document = try Document("docs/errors.md") }

  /// The table of the admin API's codes, in the order of `RefusalCode`. What the last column says is written by hand
  /// and kept.
  private var table: [String] {
    let advice = Dictionary(
      document.codeRows(below: "The admin API").map { ($0.cells[0], document.lines[$0.line - 1]) },
      uniquingKeysWith: { first, _ in first }
    ).mapValues { line in line.components(separatedBy: " | ").last.map { String($0.dropLast(2)) } ?? "" }
    return [
      "| code | status | exit code | title | retry | when it comes, and what to do |", "|---|---|---|---|---|---|",
    ]
      + RefusalCode.allCases.map { code in
        "| `\(code.rawValue)` | \(code.status) | \(code.exitCode.rawValue) | \(code.title) | "
          + "\(code.isRetryable ? "yes" : "no") | \(advice[code.rawValue] ?? "") |"
      }
  }

  /// With PACKHOUSE_WRITE_DOCS set, the table is written instead of compared.
  @Test func theCodesOfTheAdminAPIAreListedAsTheProgramHasThem() throws {
    let lines = document.lines
    let heading = try #require(lines.firstIndex(of: "## The admin API"))
    let start = try #require(lines[heading...].firstIndex { $0.hasPrefix("| code |") })
    let end = try #require(lines[start...].firstIndex { !$0.hasPrefix("|") })
    if ProcessInfo.processInfo.environment["PACKHOUSE_WRITE_DOCS"] != nil {
      let written = lines[..<start] + table + lines[end...]
      try written.joined(separator: "\n").write(
        to: Document.root.appendingPathComponent(document.path), atomically: true, encoding: .utf8)
      return
    }
    #expect(
      Array(lines[start..<end]) == table,
      "docs/errors.md:\(start + 1): the table is not the program's; print it with PACKHOUSE_WRITE_DOCS=1")
    for row in document.codeRows(below: "The admin API") {
      #expect(
        row.cells.count == 6 && row.cells[5].hasSuffix("."),
        "docs/errors.md:\(row.line): the last cell says when it comes and what to do")
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
