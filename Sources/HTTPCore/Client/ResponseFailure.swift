/// Why a server's response cannot be understood.
package enum ResponseFailure: Error, Equatable, Sendable {
  /// The head is longer than the limit, in bytes.
  case headTooLong(limit: Int)
  case tooManyFields(limit: Int)
  /// The first line, shortened.
  case malformedStatusLine(String)
  /// The field line, shortened.
  case malformedField(String)
  case malformedLength(String)
  case ambiguousLength
  case unsupportedEncoding(String)

  /// A sentence for a person.
  package var sentence: String {
    switch self {
    case .headTooLong(let limit): "The server's response head is longer than \(limit) bytes."
    case .tooManyFields(let limit): "The server's response has more than \(limit) fields."
    case .malformedStatusLine(let line):
      "The server's first line is not an HTTP/1.1 status line: \"\(line)\". Check the address and port."
    case .malformedField(let line): "The server sent a malformed field line: \"\(line)\"."
    case .malformedLength(let value): "The server sent a Content-Length that is not a number: \"\(value)\"."
    case .ambiguousLength: "The server's response says in two ways where its body ends."
    case .unsupportedEncoding(let value):
      "The server sent Transfer-Encoding \"\(value)\"; only \"chunked\" is understood."
    }
  }
}
