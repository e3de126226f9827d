/// Reads a Range field against a representation's length (RFC 9110 section 14.1.2).
enum ByteRangeSet {
  /// What the client's ranges come to. Several ranges give `whole`, which is always allowed (section 14.2).
  static func select(_ value: UnsafeRawBufferPointer, length: Int) -> Selection {
    guard value.count > 6, Octets.isWord(UnsafeRawBufferPointer(rebasing: value[0..<6]), "bytes=") else {
      return .whole
    }
    var members = ListMembers(UnsafeRawBufferPointer(rebasing: value[6...]))
    var result: Selection?
    var isSatisfiable = false
    while let member = members.next() {
      guard let selection = range(member, length: length) else { return .whole }
      if selection != .unsatisfiable { isSatisfiable = true }
      result = selection
    }
    guard let result else { return .whole }
    if !isSatisfiable { return .unsatisfiable }
    return members.count == 1 ? result : .whole
  }

  /// One range; nil when it is malformed, which makes the whole field void.
  private static func range(_ bytes: UnsafeRawBufferPointer, length: Int) -> Selection? {
    guard let dash = bytes.firstIndex(of: 0x2D) else { return nil }
    let last = UnsafeRawBufferPointer(rebasing: bytes[(dash + 1)...])
    if dash == 0 {
      guard let suffix = position(last) else { return nil }
      if suffix == 0 { return .unsatisfiable }
      // A suffix of nothing is satisfiable, but has no Content-Range that could be written: all of it is the answer.
      if length == 0 { return .whole }
      return .range(offset: max(length - suffix, 0), length: min(suffix, length))
    }
    guard let first = position(UnsafeRawBufferPointer(rebasing: bytes[0..<dash])) else { return nil }
    var end = length - 1
    if !last.isEmpty {
      guard let given = position(last), given >= first else { return nil }
      end = min(given, end)
    }
    return first < length ? .range(offset: first, length: end - first + 1) : .unsatisfiable
  }

  /// A position; numbers beyond `Int` are beyond the end of anything and count as `Int.max`.
  private static func position(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard !bytes.isEmpty else { return nil }
    for byte in bytes where !Octets.isDigit(byte) { return nil }
    return Decimal.parse(bytes) ?? Int.max
  }
}
