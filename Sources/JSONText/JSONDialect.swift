/// Which texts the parser takes.
package enum JSONDialect: Sendable {
  /// RFC 8259 and nothing else.
  case strict
  /// A subset of JSON5 for files that people write: `//` and block comments, trailing commas, single quotes, keys
  /// without quotes, hexadecimal numbers, `+1`, `.5`, `5.`, the escapes `\'`, `\v`, `\0`, `\xHH` and escaped line
  /// ends, and a byte order mark at the start. `Infinity` and `NaN` are refused.
  case relaxed
}

/// How much the parser takes before it refuses a text.
package struct JSONLimits: Sendable {
  /// The deepest nesting of arrays and objects. Never more than 256 is used: the parser recurses.
  package let depth: Int
  /// The longest text in bytes.
  package let byteCount: Int

  package init(depth: Int = 64, byteCount: Int = 16 << 20) {
    self.depth = min(max(depth, 0), 256)
    self.byteCount = byteCount
  }
}
