extension QRCode {
  /// A picture for a page, with the quiet zone of four modules: one path, in black on white.
  package var svg: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard isDark(row: row, column: column) else {
          column += 1
          continue
        }
        var length = 1
        while isDark(row: row, column: column + length) { length += 1 }
        path += "M\(column + 4) \(row + 4)h\(length)v1h-\(length)z"
        column += length
      }
    }
    let side = size + 8
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\" shape-rendering=\"crispEdges\" "
      + "role=\"img\"><path fill=\"#fff\" d=\"M0 0h\(side)v\(side)H0z\"/><path d=\"\(path)\"/></svg>"
  }

  /// Lines for a terminal, two rows of modules in each, light on the terminal's own dark background.
  package var terminalText: String {
    var lines = ""
    for row in stride(from: -2, to: size + 2, by: 2) {
      for column in -2..<(size + 2) {
        switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
        case (false, false): lines += "█"
        case (false, true): lines += "▀"
        case (true, false): lines += "▄"
        case (true, true): lines += " "
        }
      }
      lines += "\n"
    }
    return lines
  }
}
