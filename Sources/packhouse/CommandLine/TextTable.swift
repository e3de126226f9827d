/// Rows in columns, for people: each column as wide as its longest cell, numbers to the right.
struct TextTable {
  /// A column's heading, and whether its cells are numbers.
  struct Column {
    let heading: String
    var isNumber = false
  }

  let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// A heading and its rows, all of them text.
  static func text(_ heading: [String], _ rows: [[String]]) -> String {
    var table = TextTable(heading.map { Column(heading: $0) })
    for row in rows { table.add(row) }
    return table.text
  }

  /// Adds a row; missing cells are empty.
  mutating func add(_ cells: [String]) { rows.append(cells.map(Self.onOneLine)) }

  /// Two spaces between the columns, none at the end of a line.
  var text: String {
    let widths = columns.indices.map { place in
      rows.reduce(columns[place].heading.count) { max($0, cell($1, place).count) }
    }
    return ([columns.map(\.heading)] + rows).map { row in
      let cells = columns.indices.map { place in
        let text = cell(row, place)
        let padding = String(repeating: " ", count: widths[place] - text.count)
        return columns[place].isNumber ? padding + text : text + padding
      }
      let line = cells.joined(separator: "  ")
      return line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)] + "\n"
    }.joined()
  }

  private func cell(_ row: [String], _ place: Int) -> String { place < row.count ? row[place] : "" }

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

  /// A number of bytes as people read it: `1.5 GB` (decimal units), exact below 10 KB.
  static func bytes(_ count: Int) -> String {
    let units = ["KB", "MB", "GB", "TB", "PB"]
    guard count >= 10_000 else { return "\(count) B" }
    var value = Double(count) / 1000
    var place = 0
    while value >= 999.95, place + 1 < units.count {
      value /= 1000
      place += 1
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[place])"
  }
}
