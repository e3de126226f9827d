import Values

/// Parses response heads for clients. Not for the server's hot path: it makes strings.
package struct ResponseParser: Sendable {
  /// What a look at the bytes received so far came to.
  package enum Outcome: Sendable {
    case needMore
    case complete(ResponseHead)
    case failed(ResponseFailure)
  }

  private let headBytes: Int
  private let fieldLimit: Int
  private var scanned = 0

  /// - Parameters:
  ///   - headBytes: the longest head accepted.
  ///   - fields: the most field lines accepted.
  package init(headBytes: Int = 65536, fields: Int = 200) {
    self.headBytes = headBytes
    fieldLimit = fields
  }

  /// Looks at everything received of this response so far, from its first byte. After `complete` or `failed` the
  /// parser is ready for the next response; a 1xx response is complete by itself, and another follows it.
  package mutating func parse(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    var index = scanned
    let end = min(bytes.count, headBytes)
    while index + 3 < end {
      if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
        scanned = 0
        do throws(ResponseFailure) {
          return .complete(try read(UnsafeRawBufferPointer(rebasing: bytes[0..<index + 2]), headLength: index + 4))
        } catch {
          return .failed(error)
        }
      }
      index += 1
    }
    guard bytes.count < headBytes else {
      scanned = 0
      return .failed(.headTooLong(limit: headBytes))
    }
    scanned = index
    return .needMore
  }

  /// Reads lines that each end in CR LF.
  private func read(_ bytes: UnsafeRawBufferPointer, headLength: Int) throws(ResponseFailure) -> ResponseHead {
    var head: ResponseHead?
    var lineStart = 0
    while lineStart < bytes.count {
      var lineEnd = lineStart
      while lineEnd < bytes.count, bytes[lineEnd] != 0x0D { lineEnd += 1 }
      let line = UnsafeRawBufferPointer(rebasing: bytes[lineStart..<lineEnd])
      guard lineEnd + 1 < bytes.count, bytes[lineEnd + 1] == 0x0A else { throw .malformedField(Self.excerpt(line)) }
      lineStart = lineEnd + 2
      guard head != nil else {
        head = try Self.statusLine(line, headLength: headLength)
        continue
      }
      head?.fields.append(try Self.field(line))
      if let count = head?.fields.count, count > fieldLimit { throw .tooManyFields(limit: fieldLimit) }
    }
    guard let head else { throw .malformedStatusLine("") }
    return head
  }

  private static func statusLine(
    _ line: UnsafeRawBufferPointer, headLength: Int
  ) throws(ResponseFailure) -> ResponseHead {
    var reader = TextReader(line)
    guard reader.literal("HTTP/1."), let minor = reader.number(1), reader.literal(" "), let status = reader.number(3),
      (100...599).contains(status), reader.isAtEnd || reader.literal(" "), !line.contains(where: isControl)
    else { throw .malformedStatusLine(excerpt(line)) }
    let reason = String(decoding: line.dropFirst(13), as: UTF8.self)
    return ResponseHead(
      status: status, reason: reason, minorVersion: minor == 0 ? 0 : 1, fields: [], headLength: headLength)
  }

  private static func field(
    _ line: UnsafeRawBufferPointer
  ) throws(ResponseFailure) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: 0x3A), colon > 0, line[0..<colon].allSatisfy(Octets.isToken),
      !line.contains(where: isControl)
    else { throw .malformedField(excerpt(line)) }
    let value = Octets.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    return (String(decoding: line[0..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

  /// The beginning of a line with everything unprintable replaced, to be shown to a person.
  private static func excerpt(_ line: UnsafeRawBufferPointer) -> String {
    let shown = line.prefix(80).map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x3F }
    return String(decoding: shown, as: UTF8.self)
  }
}
