/// Rows in columns, for people.
enum TextTable {
  /// The heading and the rows, each column as wide as its longest cell; the last one is not padded.
  static func text(_ heading: [String], _ rows: [[String]]) -> String {
    let all = [heading] + rows.map { $0.map(onOneLine) }
    let widths = heading.indices.map { column in all.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      let line = cells.joined()
      return line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)] + "\n"
    }.joined()
  }

  /// Text that others wrote, without what would break the line or steer the terminal.
  private static func onOneLine(_ cell: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in cell.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: text.append(" ")
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
