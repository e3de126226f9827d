/// Reads the field lines of a complete head (RFC 9112 section 5) and draws from them what the connection must know.
enum FieldSection {
  /// Fills the slots and the head's authority, framing and connection options in.
  ///
  /// The head is known to end in an empty line and to hold no other control byte than tabs, so each loop below ends
  /// inside it.
  static func read(
    _ bytes: UnsafePointer<UInt8>, from start: Int, into head: inout RequestHead,
    fields: UnsafeMutableBufferPointer<FieldSlot>, limits: RequestLimits
  ) throws(RequestFault) {
    let capacity = min(limits.fields, fields.count)
    let end = head.headLength - 2
    var facts = MessageFacts()
    var index = start
    var count = 0
    while index < end {
      let nameStart = index
      while Octets.isToken(bytes[index]) { index += 1 }
      guard bytes[index] == 0x3A, index > nameStart else {
        throw Octets.isBlank(bytes[nameStart]) ? .foldedLine : .malformedField
      }
      let nameEnd = index
      index += 1
      while Octets.isBlank(bytes[index]) { index += 1 }
      let valueStart = index
      index = lineEnd(bytes, from: index, to: end)
      var valueEnd = index
      while valueEnd > valueStart, Octets.isBlank(bytes[valueEnd - 1]) { valueEnd -= 1 }
      index += 2

      guard count < capacity else { throw .tooManyFields }
      let known = KnownField(bytes + nameStart, count: nameEnd - nameStart)
      fields[count] = FieldSlot(
        name: ByteSlice(from: nameStart, to: nameEnd), value: ByteSlice(from: valueStart, to: valueEnd), known: known)
      count += 1
      if known != .other {
        head.knownFields |= known.bit
        let value = UnsafeRawBufferPointer(start: bytes + valueStart, count: valueEnd - valueStart)
        try facts.note(known, value, at: valueStart)
      }
    }
    head.fieldCount = count
    try facts.settle(&head)
  }

  /// Where the CR of the current line stands; tabs are the only other control bytes left.
  private static func lineEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while let hit = HeadScanner.nextControl(bytes, from: index, to: end) {
      if bytes[hit] == 0x0D { return hit }
      index = hit + 1
    }
    return end
  }
}

/// What the fields say about the message itself: its host, where its body ends, and whether the connection stays open.
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
      guard Authority(value) != nil else { throw .malformedHost }
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
