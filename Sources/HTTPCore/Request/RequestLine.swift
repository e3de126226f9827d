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
