/// Writes whole response heads, from the status line to the empty line, without allocating.
package struct ResponseHeadWriter {
  /// Writes the head for (a part of) a representation; HEAD gets the same as GET.
  ///
  /// - Parameters:
  ///   - date: 29 bytes of IMF-fixdate.
  ///   - keepAlive: whether another request may follow.
  ///   - minorVersion: the request's; HTTP/1.0 clients must be told that the connection stays open.
  /// - Returns: the bytes written, or nil when they do not fit.
  package static func write(
    _ representation: Representation, _ selection: Selection, date: UnsafeRawBufferPointer, keepAlive: Bool,
    minorVersion: UInt8, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var cursor = HeadCursor(target)
    switch selection {
    case .whole:
      cursor.append("HTTP/1.1 200 OK\r\n")
      cursor.append(representation.fields.pointer)
      cursor.append(representation.contentFields.pointer)
      cursor.append("Content-Length: ")
      cursor.append(number: representation.length)
    case .range(let offset, let length):
      cursor.append("HTTP/1.1 206 Partial Content\r\n")
      cursor.append(representation.fields.pointer)
      cursor.append(representation.contentFields.pointer)
      cursor.append("Content-Range: bytes ")
      cursor.append(number: offset)
      cursor.append("-")
      cursor.append(number: offset &+ length &- 1)
      cursor.append("/")
      cursor.append(number: representation.length)
      cursor.append("\r\nContent-Length: ")
      cursor.append(number: length)
    case .parts(let body):
      cursor.append("HTTP/1.1 206 Partial Content\r\n")
      cursor.append(representation.fields.pointer)
      cursor.append("Content-Type: multipart/byteranges; boundary=")
      cursor.append(body.boundary.pointer)
      cursor.append("\r\nContent-Length: ")
      cursor.append(number: body.length)
    case .notModified:
      cursor.append("HTTP/1.1 304 Not Modified\r\n")
      cursor.append(representation.fields.pointer)
    case .preconditionFailed:
      cursor.append("HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0")
    case .unsatisfiable:
      cursor.append("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */")
      cursor.append(number: representation.length)
      cursor.append("\r\nContent-Length: 0")
    }
    if selection != .notModified { cursor.append("\r\n") }
    finish(&cursor, date: date, keepAlive: keepAlive, minorVersion: minorVersion)
    return cursor.written
  }

  /// Writes the head of a message. Content-Length is the body's length, also for HEAD; a status that has no body
  /// (1xx, 204, 304) has none (RFC 9110 section 8.6). Parameters and result as above; a message that closes is not
  /// kept alive whatever `keepAlive` says.
  package static func write(
    _ message: Message, date: UnsafeRawBufferPointer, keepAlive: Bool, minorVersion: UInt8,
    into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var cursor = HeadCursor(target)
    cursor.append("HTTP/1.1 ")
    cursor.append(number: Int(message.status))
    cursor.append(" ")
    cursor.append(StatusReason.phrase(message.status))
    cursor.append("\r\n")
    message.fields.withUnsafeBytes { cursor.append($0) }
    if message.status >= 200, message.status != 204, message.status != 304 {
      cursor.append("Content-Length: ")
      cursor.append(number: message.body.count)
      cursor.append("\r\n")
    }
    finish(&cursor, date: date, keepAlive: keepAlive && !message.closes, minorVersion: minorVersion)
    return cursor.written
  }

  private static func finish(
    _ cursor: inout HeadCursor, date: UnsafeRawBufferPointer, keepAlive: Bool, minorVersion: UInt8
  ) {
    cursor.append("Date: ")
    cursor.append(date)
    if !keepAlive {
      cursor.append("\r\nConnection: close\r\n\r\n")
    } else if minorVersion == 0 {
      cursor.append("\r\nConnection: keep-alive\r\n\r\n")
    } else {
      cursor.append("\r\n\r\n")
    }
  }
}
