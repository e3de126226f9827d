import Values

/// Why a text is not JSON: always with the place.
package enum JSONFailure: Error, Equatable, Sendable {
  /// Something else stands where the grammar wants `expected`.
  case unexpected(TextPosition, expected: String, found: String)
  /// The bytes are not UTF-8 (RFC 8259 section 8.1).
  case invalidUTF8(TextPosition)
  /// The same key twice in one object, which RFC 8259 section 4 leaves to the reader and this reader refuses.
  case duplicateKey(TextPosition, key: String)
  /// Arrays and objects nested beyond the limit.
  case tooDeep(TextPosition, limit: Int)
  /// More bytes than the limit; nothing was read.
  case tooLarge(byteCount: Int, limit: Int)

  /// Where the reader stopped.
  package var position: TextPosition {
    switch self {
    case .unexpected(let position, _, _), .invalidUTF8(let position), .duplicateKey(let position, _),
      .tooDeep(let position, _):
      position
    case .tooLarge: TextPosition(line: 1, column: 1)
    }
  }

  /// The line, from 1.
  package var line: Int { position.line }
  /// The column in Unicode scalars, from 1.
  package var column: Int { position.column }

  /// What would have been right there.
  package var expected: String {
    switch self {
    case .unexpected(_, let expected, _): expected
    case .invalidUTF8: "UTF-8 text"
    case .duplicateKey: "each key once"
    case .tooDeep(_, let limit): "at most \(limit) arrays and objects inside each other"
    case .tooLarge(_, let limit): "at most \(limit) bytes"
    }
  }

  /// What is there instead.
  package var found: String {
    switch self {
    case .unexpected(_, _, let found): found
    case .invalidUTF8: "bytes that are not UTF-8"
    case .duplicateKey(_, let key): "the key \(quoted(key)) a second time"
    case .tooDeep: "one more"
    case .tooLarge(let byteCount, _): "\(byteCount) bytes"
    }
  }

  /// The whole reason as one sentence, without a full stop.
  package var sentence: String {
    if case .tooLarge = self { return "the document is too large: expected \(expected), found \(found)" }
    return "line \(line), column \(column): expected \(expected), found \(found)"
  }
}
