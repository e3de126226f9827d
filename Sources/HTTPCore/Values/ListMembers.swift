/// Walks over the members of a comma-separated list of tokens (RFC 9110 section 5.6.1), without white space and
/// without empty members. Not for lists whose members hold quoted strings.
struct ListMembers {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// Members handed out so far.
  private(set) var count = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func next() -> UnsafeRawBufferPointer? {
    while position < bytes.count {
      let start = position
      while position < bytes.count, bytes[position] != 0x2C { position += 1 }
      let member = Octets.trimmed(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      position += 1
      if !member.isEmpty {
        count += 1
        return member
      }
    }
    return nil
  }
}
