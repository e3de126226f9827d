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
