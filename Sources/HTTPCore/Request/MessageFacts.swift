/// What the fields say about the message itself: whom it is for, where its body ends, what becomes of the connection.
struct MessageFacts {
  private var host = ByteSlice.absent
  private var length: Int?
  private var hasEncoding = false
  private var closes = false
  private var keepsAlive = false
  private var expectsContinue = false
  private var expectsOther = false

  /// Takes one field into account.
  mutating func note(_ field: KnownField, _ value: UnsafeRawBufferPointer, at offset: Int) throws(RequestFault) {
    switch field {
    case .host:
      guard host.isAbsent else { throw .severalHosts }
      guard AuthorityParts(value) != nil else { throw .malformedHost }
      host = ByteSlice(from: offset, to: offset + value.count)
    case .connection:
      noteConnection(value)
    case .contentLength:
      guard let number = Decimal.parse(value) else { throw .malformedLength }
      if let length, length != number { throw .conflictingLengths }
      length = number
    case .transferEncoding:
      try noteEncoding(value)
    case .expect:
      var members = ListMembers(value)
      while let member = members.next() {
        if Octets.isWord(member, "100-continue") { expectsContinue = true } else { expectsOther = true }
      }
    default:
      break
    }
  }

  private mutating func noteConnection(_ value: UnsafeRawBufferPointer) {
    var members = ListMembers(value)
    while let member = members.next() {
      if Octets.isWord(member, "close") { closes = true }
      if Octets.isWord(member, "keep-alive") { keepsAlive = true }
    }
  }

  /// RFC 9112 section 6.1: chunked must be the last coding and be applied once; others are not understood here.
  private mutating func noteEncoding(_ value: UnsafeRawBufferPointer) throws(RequestFault) {
    guard !hasEncoding else { throw .malformedEncoding }
    hasEncoding = true
    if Octets.isWord(value, "chunked") { return }
    var members = ListMembers(value)
    var chunked = 0
    var isLast = false
    var isToken = true
    while let member = members.next() {
      isLast = Octets.isWord(member, "chunked")
      if isLast { chunked += 1 }
      for byte in member where !Octets.isToken(byte) { isToken = false }
    }
    throw isLast && isToken && chunked == 1 && members.count > 1 ? .unsupportedEncoding : .malformedEncoding
  }

  /// Checks that the fields fit together, and writes what follows from them into the head.
  func settle(_ head: inout RequestHead) throws(RequestFault) {
    let isCurrent = head.minorVersion > 0
    if host.isAbsent && isCurrent { throw .missingHost }
    if head.authority.isAbsent { head.authority = host }
    if hasEncoding {
      if length != nil { throw .lengthAndEncoding }
      if !isCurrent { throw .encodingInOldVersion }
      head.framing = .chunked
    } else if let length {
      head.framing = .length(length)
    }
    head.keepAlive = !closes && (isCurrent || keepsAlive)
    // RFC 9110 section 10.1.1: HTTP/1.0 has no expectations, and without a body there is nothing to wait for.
    if isCurrent {
      if expectsOther { throw .unknownExpectation }
      head.expectsContinue = expectsContinue && head.framing != .none && head.framing != .length(0)
    }
  }
}
