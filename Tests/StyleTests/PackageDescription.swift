import Foundation

/// The targets of Package.swift, read as text, in the order of the file.
struct PackageDescription {
  struct Target {
    let name: String
    /// Relative to the root, such as `Sources/TLS`.
    let folder: String
    let dependencies: [String]
    /// Counted from 1.
    let line: Int
    let isTest: Bool
    let isProgram: Bool
    /// Headers for Swift: nothing in it imports anything.
    let isSystemLibrary: Bool
  }

  let targets: [Target]

  init() throws {
    guard let file = ProjectTree.file("Package.swift") else { throw CocoaError(.fileReadNoSuchFile) }
    try self.init(file.lines)
  }

  init(_ lines: [String]) throws {
    // Comments would only be taken for targets that are not there.
    let text = lines.map { line in
      guard let comment = line.range(of: "//", options: .backwards)?.lowerBound,
        line[..<comment].count(where: { $0 == "\"" }) % 2 == 0
      else { return line }
      return String(line[..<comment])
    }.joined(separator: "\n")
    let head = try NSRegularExpression(
      pattern:
        #"(?<![\w.])(layer|tests|\.systemLibrary|\.executableTarget|\.testTarget|\.target)\(\s*(?:name:\s*)?"([\w-]+)""#
    )
    let whole = text as NSString
    targets = head.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
      let kind = whole.substring(with: match.range(at: 1))
      let given = whole.substring(with: match.range(at: 2))
      let call = Self.call(whole.substring(from: match.range.location))
      let isTest = kind == "tests" || kind == ".testTarget"
      let name = kind == "tests" ? "\(given)Tests" : given
      let path = Self.text(after: "path:", in: call)
      return Target(
        name: name, folder: path ?? (isTest ? "Tests/\(name)" : "Sources/\(name)"),
        dependencies: Self.dependencies(of: call, after: given),
        line: whole.substring(to: match.range.location).filter { $0 == "\n" }.count + 1, isTest: isTest,
        isProgram: kind == ".executableTarget", isSystemLibrary: kind == ".systemLibrary")
    }
  }

  /// The text up to the parenthesis that closes the first one.
  private static func call(_ text: String) -> String {
    var depth = 0
    var isInString = false
    for index in text.indices {
      switch text[index] {
      case "\"": isInString.toggle()
      case "(" where !isInString: depth += 1
      case ")" where !isInString:
        depth -= 1
        if depth == 0 { return String(text[...index]) }
      default: break
      }
    }
    return text
  }

  /// The strings of the first list that has no label other than `dependencies:`.
  private static func dependencies(of call: String, after name: String) -> [String] {
    guard let start = call.range(of: "\"\(name)\"")?.upperBound else { return [] }
    var rest = call[start...].drop { $0 == "," || $0.isWhitespace }
    if rest.hasPrefix("dependencies:") { rest = rest.dropFirst("dependencies:".count).drop { $0.isWhitespace } }
    guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return [] }
    return rest[..<end].split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
      $0.offset % 2 == 1
    }.map { String($0.element) }
  }

  private static func text(after label: String, in call: String) -> String? {
    guard let place = call.range(of: label) else { return nil }
    let parts = call[place.upperBound...].split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count > 2 ? String(parts[1]) : nil
  }
}
