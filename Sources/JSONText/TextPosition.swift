/// A place in a text: line and column, both from 1. Columns count Unicode scalars.
package struct TextPosition: Sendable, Hashable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of byte `offset` in UTF-8 `bytes`. Lines end with LF, CR LF or CR.
  init(of offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    var index = 0
    let end = min(offset, bytes.count)
    while index < end {
      let byte = bytes[index]
      let isCarriageReturnAlone = byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
      if byte == 0x0A || isCarriageReturnAlone {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      index += 1
    }
    self.init(line: line, column: column)
  }

  package var description: String { "line \(line), column \(column)" }
}
