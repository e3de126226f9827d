/// Rows in columns, for people.
enum TextTable {
  /// The heading and the rows, each column as wide as its longest cell; the last one is not padded.
  static func text(_ heading: [String], _ rows: [[String]]) -> String {
    let all = [heading] + rows
    let widths = heading.indices.map { column in all.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      let line = cells.joined()
      return line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)] + "\n"
    }.joined()
  }
}
