import Foundation
import Testing

/// What no compiler checks: the rules of CONTRIBUTING.md that can be read off the files.
@Suite struct TreeTests {
  private func report(_ violations: [String]) {
    for violation in violations { Issue.record(Comment(rawValue: violation)) }
  }

  @Test func theTreeIsFound() throws {
    #expect(ProjectTree.exists("Package.swift"), "no Package.swift in \(ProjectTree.root.path)")
    #expect(try ProjectTree.swiftFiles("Sources/").count > 100)
    let targets = try PackageDescription().targets
    #expect(targets.contains { $0.name == "PackStore" && $0.dependencies.contains("AssetPacks") })
    #expect(targets.contains { $0.name == "packhouse" && !$0.dependencies.isEmpty })
    #expect(targets.contains { $0.name == "StyleTests" && $0.isTest && $0.dependencies.isEmpty })
  }

  @Test func noSourceFileIsLong() throws {
    report(
      try ProjectTree.swiftFiles("Sources/").filter { $0.lines.count > 300 }.map { file in
        "\(file.path):301: the file has \(file.lines.count) lines, more than 300; split it by concept"
      })
  }

  @Test func noLineIsLong() throws {
    report(
      try ProjectTree.swiftFiles("Sources/", "Tests/", "Package.swift").flatMap { file in
        file.lines.indices.filter { file.lines[$0].count > 120 }.map { index in
          "\(file.place(index)): the line has \(file.lines[index].count) characters, more than 120; break it"
        }
      })
  }

  /// A word that must not stand in `Sources`, and what to do instead.
  private static let banned = [
    ("try!", "catch the error, or let it go on"),
    ("as!", "use as? and say what happens otherwise"),
    ("fatalError(", "throw: a trap ends the service for everybody"),
    ("preconditionFailure(", "throw: a trap ends the service for everybody"),
    ("import Foundation", "use Glibc, SystemIO or JSONText: Foundation makes the program many times as large"),
    ("FoundationNetworking", "use HTTPClient: it needs libcurl"),
  ]

  @Test func nothingThatIsBannedStandsInTheSources() throws {
    var violations: [String] = []
    for file in try ProjectTree.swiftFiles("Sources/") {
      let code = file.code
      for (index, line) in code.enumerated() {
        for (word, advice) in Self.banned where SwiftText.contains(word, in: line) {
          violations.append("\(file.place(index)): \(word) is not used here; \(advice)")
        }
        let prints = SwiftText.contains("print(", in: line) || SwiftText.contains("debugPrint(", in: line)
        if prints, !file.path.hasPrefix("Sources/packhouse/") {
          violations.append(
            "\(file.place(index)): print is for the packhouse target alone; log it, or return it to who asked")
        }
      }
    }
    report(violations)
  }

  @Test func whatTheCompilerDoesNotCheckIsExplained() throws {
    var violations: [String] = []
    for file in try ProjectTree.swiftFiles("Sources/") {
      let code = file.code
      for (index, line) in code.enumerated() {
        guard let word = ["@unchecked Sendable", "nonisolated(unsafe)"].first(where: { line.contains($0) }) else {
          continue
        }
        let comments = file.lines[max(0, index - 6)..<index].map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { $0.hasPrefix("//") }
        // Two words name a thing; a reason has more.
        if comments.joined(separator: " ").split(separator: " ").count < 6 {
          violations.append("\(file.place(index)): \(word) without a reason; say in a comment above why it is safe")
        }
      }
    }
    report(violations)
  }

  @Test func targetsStandAboveWhatDependsOnThem() throws {
    var violations: [String] = []
    let targets = try PackageDescription().targets
    for (index, target) in targets.enumerated() {
      let above = Set(targets[..<index].map(\.name))
      for name in target.dependencies where !above.contains(name) {
        violations.append(
          "Package.swift:\(target.line): \(target.name) depends on \(name), which does not stand above it; "
            + "move the code that needs it to a higher layer")
      }
    }
    report(violations)
  }

  @Test func targetsDeclareWhatTheyImport() throws {
    let targets = try PackageDescription().targets
    let programs = Set(targets.filter(\.isProgram).map(\.name))
    report(
      try targets.flatMap { target in
        ImportRule.violations(
          of: target, in: try ProjectTree.swiftFiles("\(target.folder)/"), programs: programs)
      })
  }

  @Test func testsAreTheSameEachTime() throws {
    report(
      try ProjectTree.files().filter { $0.path.hasPrefix("Tests/") || $0.path.hasPrefix("bench/") }.flatMap {
        try RandomnessRule.violations(in: $0)
      })
  }

  @Test func noTestSleepsLong() throws {
    report(try ProjectTree.swiftFiles("Tests/", "bench/").flatMap { try SleepRule.violations(in: $0) })
  }

  @Test func everyFolderIsATarget() throws {
    let folders = Set(try PackageDescription().targets.map(\.folder))
    var violations: [String] = []
    for parent in ["Sources", "Tests"] {
      let path = ProjectTree.root.appendingPathComponent(parent).path
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      where !name.hasPrefix(".") && !folders.contains("\(parent)/\(name)") {
        violations.append("\(parent)/\(name):1: the folder is no target of Package.swift; list it there or remove it")
      }
    }
    report(violations)
  }

  @Test func noFileNamesAPlaceOfOneMachine() throws {
    // Written in two pieces, so that this file does not find itself.
    let places = ["work", "home", "root"].map { "/" + $0 + "/" }
    report(
      try ProjectTree.files().flatMap { file in
        file.lines.indices.compactMap { index in
          guard let place = places.first(where: { file.lines[index].contains($0) }) else { return nil }
          return "\(file.place(index)): \(place) is a folder of one machine; name the place relative to the project"
        }
      })
  }

  @Test func nothingIsLeftToDo() throws {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    report(
      try ProjectTree.files().flatMap { file in
        file.lines.indices.compactMap { index in
          let words = Set(file.lines[index].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { String($0) })
          guard let mark = marks.first(where: { words.contains($0) }) else { return nil }
          return "\(file.place(index)): \(mark) marks unfinished work; finish it, or say in README.md what is missing"
        }
      })
  }

  @Test func linksInDocumentsLeadSomewhere() throws {
    let pattern = try NSRegularExpression(pattern: #"\[[^\]]*\]\(([^)\s]+)\)"#)
    var violations: [String] = []
    for file in try ProjectTree.files() where file.path.hasSuffix(".md") {
      let folder = (file.path as NSString).deletingLastPathComponent
      var isInCode = false
      for (index, line) in file.lines.enumerated() {
        if line.hasPrefix("```") { isInCode.toggle() }
        if isInCode { continue }
        for match in pattern.matches(in: line, range: NSRange(location: 0, length: (line as NSString).length)) {
          let link = (line as NSString).substring(with: match.range(at: 1))
          let isElsewhere = link.contains("://") || link.hasPrefix("mailto:") || link.hasPrefix("#")
          guard !isElsewhere, let target = link.split(separator: "#").first else { continue }
          let path = ((folder as NSString).appendingPathComponent(String(target)) as NSString).standardizingPath
          if !ProjectTree.exists(path) {
            violations.append("\(file.place(index)): the link \(link) leads to no file; correct it or write the file")
          }
        }
      }
    }
    report(violations)
  }
}
