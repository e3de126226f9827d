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
    guard let parts = AuthorityParts(target), parts.hasPort, !parts.host.isEmpty else { throw .malformedTarget }
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
    guard let parts = AuthorityParts(authority), !parts.host.isEmpty else { throw .malformedHost }
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
