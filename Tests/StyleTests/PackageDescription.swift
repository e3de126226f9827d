import Foundation

/// The targets of Package.swift, read as text, in the order of the file.
struct PackageDescription {
  struct Target {
    let name: String
    /// Below `Sources` or `Tests`.
    let folder: String
    let dependencies: [String]
    /// Counted from 1.
    let line: Int
    let isTest: Bool
  }

  let targets: [Target]

  init() throws {
    guard let file = ProjectTree.file("Package.swift") else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    // Comments would only be taken for targets that are not there.
    let text = file.lines.map { line in
      line.trimmingCharacters(in: .whitespaces).hasPrefix("//") ? "" : line
    }.joined(separator: "\n")
    let pattern = try NSRegularExpression(
      pattern: #"(layer|tests|\.systemLibrary|\.executableTarget|\.target)\(\s*(?:name:\s*)?"(\w+)"\s*"#
        + #"(?:,\s*(?:dependencies:\s*)?\[([^\]]*)\])?"#)
    let whole = text as NSString
    targets = pattern.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
      func group(_ index: Int) -> String {
        match.range(at: index).location == NSNotFound ? "" : whole.substring(with: match.range(at: index))
      }
      let isTest = group(1) == "tests"
      // `layer` names its own; what stands in the list is what tests share.
      let isBelowTests = isTest || group(1) == ".target"
      let name = isTest ? "\(group(2))Tests" : group(2)
      let names = group(3).split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
        $0.offset % 2 == 1
      }.map { String($0.element) }
      let line = whole.substring(to: match.range.location).filter { $0 == "\n" }.count + 1
      return Target(
        name: name, folder: isBelowTests ? "Tests/\(name)" : "Sources/\(name)", dependencies: names, line: line,
        isTest: isTest)
    }
  }
}
