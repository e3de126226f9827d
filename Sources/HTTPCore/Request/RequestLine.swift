/// Reads the request line of a complete head (RFC 9112 section 3).
enum RequestLine {
  /// Fills method, target and version in.
  ///
  /// The head is known to end in CR LF CR LF and to hold no other control byte than tabs, so each loop below ends
  /// inside it.
  ///
  /// - Returns: where the first field line begins.
  static func read(
    _ bytes: UnsafePointer<UInt8>, from start: Int, into head: inout RequestHead, limits: RequestLimits
  ) throws(RequestFault) -> Int {
    var index = start
    while Octets.isToken(bytes[index]) { index += 1 }
    guard bytes[index] == 0x20 else {
      throw bytes[index] == 0x0D ? .malformedRequestLine : .malformedMethod
    }
    guard index > start else { throw .malformedRequestLine }
    head.methodName = ByteSlice(from: start, to: index)
    head.method = RequestMethod(bytes + start, count: index - start)

    let targetStart = index + 1
    index = targetStart
    var query = -1
    var hasPercent = false
    scan: while true {
      let byte = bytes[index]
      switch byte {
      case 0x20: break scan
      case 0x0D: throw .malformedRequestLine
      case 0x3F: if query < 0 { query = index }
      case 0x25: if query < 0 { hasPercent = true }
      case 0x23: throw .targetByte
      default: if byte < 0x21 || byte > 0x7E { throw .targetByte }
      }
      index += 1
    }
    guard index > targetStart else { throw .malformedRequestLine }
    guard index - targetStart <= limits.targetBytes else { throw .targetTooLong }
    let targetEnd = index
    try readVersion(bytes, from: targetEnd + 1, into: &head)
    let target = RequestTarget(start: targetStart, end: targetEnd, query: query)
    try target.read(bytes, into: &head)
    if hasPercent && !head.path.isAbsent {
      let path = UnsafeRawBufferPointer(start: bytes + Int(head.path.offset), count: Int(head.path.count))
      guard PercentCoding.isValid(path) else { throw .percentEncoding }
    }
    return targetEnd + 11
  }

  /// Reads `HTTP/1.1` and the end of the line.
  private static func readVersion(
    _ bytes: UnsafePointer<UInt8>, from start: Int, into head: inout RequestHead
  ) throws(RequestFault) {
    // Comparing front to back stops at the line's end, so nothing beyond the head is read.
    let name: StaticString = "HTTP/"
    for index in 0..<5 where bytes[start + index] != name.utf8Start[index] { throw .malformedVersion }
    guard
      Octets.isDigit(bytes[start + 5]), bytes[start + 6] == 0x2E, Octets.isDigit(bytes[start + 7]),
      bytes[start + 8] == 0x0D
    else { throw .malformedVersion }
    guard bytes[start + 5] == 0x31 else { throw .unsupportedVersion }
    head.minorVersion = bytes[start + 7] == 0x30 ? 0 : 1
  }
}

/// The four forms of a request target (RFC 9112 section 3.2).
struct RequestTarget {
  let start: Int
  let end: Int
  /// Where the first `?` stands, or negative.
  let query: Int

  /// Fills path, query and, where the target has one, authority in.
  func read(_ bytes: UnsafePointer<UInt8>, into head: inout RequestHead) throws(RequestFault) {
    if head.method == .connect {
      try readAuthorityForm(bytes, into: &head)
    } else if bytes[start] == 0x2F {
      setPath(from: start, into: &head)
    } else if bytes[start] == 0x2A {
      guard end - start == 1, head.method == .options else { throw .malformedTarget }
      head.path = ByteSlice(from: start, to: end)
    } else {
      try readAbsoluteForm(bytes, into: &head)
    }
  }

  private func setPath(from pathStart: Int, into head: inout RequestHead) {
    guard query >= 0 else {
      head.path = ByteSlice(from: pathStart, to: end)
      return
    }
    head.path = ByteSlice(from: pathStart, to: query)
    head.query = ByteSlice(from: query + 1, to: end)
  }

  private func readAuthorityForm(
    _ bytes: UnsafePointer<UInt8>, into head: inout RequestHead
  ) throws(RequestFault) {
    let target = UnsafeRawBufferPointer(start: bytes + start, count: end - start)
    guard let parts = Authority(target), parts.hasPort, !parts.host.isEmpty else { throw .malformedTarget }
    head.authority = ByteSlice(from: start, to: end)
  }

  private func readAbsoluteForm(
    _ bytes: UnsafePointer<UInt8>, into head: inout RequestHead
  ) throws(RequestFault) {
    var colon = start
    while colon < end, colon - start < 6, bytes[colon] != 0x3A { colon += 1 }
    guard
      Octets.equalIgnoringCase(bytes + start, colon - start, "http")
        || Octets.equalIgnoringCase(bytes + start, colon - start, "https"),
      colon + 3 < end, bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F
    else { throw .malformedTarget }
    let authorityStart = colon + 3
    var index = authorityStart
    while index < end, bytes[index] != 0x2F, bytes[index] != 0x3F { index += 1 }
    let authority = UnsafeRawBufferPointer(start: bytes + authorityStart, count: index - authorityStart)
    guard let parts = Authority(authority), !parts.host.isEmpty else { throw .malformedHost }
    head.authority = ByteSlice(from: authorityStart, to: index)
    if index < end, bytes[index] == 0x2F {
      setPath(from: index, into: &head)
    } else {
      // An empty path means `/` (RFC 9112 section 3.2.1); the scheme's second slash lends its byte.
      if query >= 0 { head.query = ByteSlice(from: query + 1, to: end) }
      head.path = ByteSlice(from: colon + 2, to: colon + 3)
    }
  }
}
