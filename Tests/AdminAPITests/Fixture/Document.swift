import Foundation

/// A Markdown file of `docs/`, read for what the tests compare with the code.
struct Document {
  /// A table row and where it stands.
  struct Row {
    let line: Int
    /// Trimmed, without the backquotes around codes.
    let cells: [String]
  }

  let path: String
  let lines: [String]

  init(_ path: String) throws {
    self.path = path
    lines = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// `path:line` for an index of `lines`.
  func place(_ index: Int) -> String { "\(path):\(index + 1)" }

  /// The rows below the heading `## title` whose first cell is a code in backquotes.
  func codeRows(below title: String) -> [Row] {
    guard let start = lines.firstIndex(of: "## \(title)") else { return [] }
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
    return (start..<end).compactMap { index in
      guard lines[index].hasPrefix("| `") else { return nil }
      let cells = lines[index].split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "")
      }
      return Row(line: index + 1, cells: cells)
    }
  }

  /// Every match of `pattern` in the Swift files below `folders`: its groups.
  static func matches(_ pattern: String, below folders: [String]) throws -> [[String]] {
    let expression = try NSRegularExpression(pattern: pattern)
    var found: [[String]] = []
    for folder in folders {
      let base = root.appendingPathComponent(folder).path
      let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
      // A path may also be one file.
      let paths = folder.hasSuffix(".swift") ? [base] : names.filter { $0.hasSuffix(".swift") }.map { "\(base)/\($0)" }
      for path in paths {
        let text = try String(contentsOfFile: path, encoding: .utf8) as NSString
        for match in expression.matches(in: text as String, range: NSRange(location: 0, length: text.length)) {
          found.append((1..<match.numberOfRanges).map { text.substring(with: match.range(at: $0)) })
        }
      }
    }
    return found
  }
}
