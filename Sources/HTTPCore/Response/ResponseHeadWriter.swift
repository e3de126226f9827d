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

/// Appends bytes to a fixed buffer and remembers when they no longer fit.
struct HeadCursor {
  private let target: UnsafeMutableRawBufferPointer
  private var position = 0
  private var isFull = false

  init(_ target: UnsafeMutableRawBufferPointer) {
    self.target = target
  }

  /// The bytes written; nil when some did not fit.
  var written: Int? { isFull ? nil : position }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    append(source, bytes.count)
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  mutating func append(number: Int) {
    let value = UInt(max(number, 0))
    let digits = Decimal.digits(value)
    guard let start = claim(digits) else { return }
    Decimal.write(value, digits: digits, into: start)
  }

  private mutating func append(_ source: UnsafeRawPointer, _ count: Int) {
    guard let start = claim(count) else { return }
    start.copyMemory(from: source, byteCount: count)
  }

  private mutating func claim(_ count: Int) -> UnsafeMutableRawPointer? {
    guard !isFull, count <= target.count - position, let base = target.baseAddress else {
      isFull = true
      return nil
    }
    let start = base + position
    position += count
    return start
  }
}

/// Reason phrases of status lines (RFC 9110 section 15).
package enum StatusReason {
  /// The phrase for a status; `Unknown` for one that this server never sends.
  package static func phrase(_ status: UInt16) -> StaticString {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Unknown"
    }
  }
}
