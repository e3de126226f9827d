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
