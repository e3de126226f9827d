/// The head of a response as a client reads it.
package struct ResponseHead: Sendable {
  /// 100 to 599.
  package var status: Int
  package var reason: String
  /// 0 or 1.
  package var minorVersion: UInt8
  /// The fields in the order sent.
  package var fields: [(name: String, value: String)]
  /// Bytes of the head, including the empty line at its end.
  package var headLength: Int

  /// The value of the first field of that name, in any letter case.
  package func field(_ name: String) -> String? {
    values(of: name).first
  }

  /// The values of all fields of that name, in any letter case.
  package func values(of name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  /// Whether the connection can carry another request after this response.
  package var keepAlive: Bool {
    let options = members(of: "Connection")
    return !options.contains("close") && (minorVersion > 0 || options.contains("keep-alive"))
  }

  /// How the body's end is found (RFC 9112 section 6.3).
  package func framing(forMethod method: RequestMethod) throws(ResponseFailure) -> ResponseFraming {
    if method == .head || status < 200 || status == 204 || status == 304 { return .none }
    if method == .connect && status < 300 { return .none }
    let codings = members(of: "Transfer-Encoding")
    let lengths = Set(values(of: "Content-Length"))
    if !codings.isEmpty {
      guard codings == ["chunked"] else { throw .unsupportedEncoding(codings.joined(separator: ", ")) }
      guard lengths.isEmpty else { throw .ambiguousLength }
      return .chunked
    }
    guard let text = lengths.first else { return .untilClose }
    guard lengths.count == 1 else { throw .ambiguousLength }
    guard let length = Array(text.utf8).withUnsafeBytes(Decimal.parse) else { throw .malformedLength(text) }
    return .length(length)
  }

  private func members(of name: String) -> [String] {
    values(of: name).flatMap { value in
      value.utf8.split(separator: 0x2C).map { part in
        let start = part.drop { Octets.isBlank($0) }
        let end = start.lastIndex { !Octets.isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self).lowercased()
      }
    }.filter { !$0.isEmpty }
  }
}

/// How the end of a response's body is found.
package enum ResponseFraming: Equatable, Sendable {
  /// There is no body, whatever the fields say.
  case none
  /// Exactly so many bytes.
  case length(Int)
  /// Chunks, for `ChunkedDecoder`.
  case chunked
  /// Everything until the server closes the connection.
  case untilClose
}

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
