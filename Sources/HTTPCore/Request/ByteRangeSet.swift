extension RequestView {
  /// Whether its Range field names more ranges than are answered in parts.
  package var namesTooManyRanges: Bool {
    guard head.knownFields & KnownField.range.bit != 0, let value = only(.range), value.count > 6 else { return false }
    var members = ListMembers(UnsafeRawBufferPointer(rebasing: value[6...]))
    while members.next() != nil {
      if members.count > max(1, head.rangeLimit) { return true }
    }
    return false
  }
}

/// Reads a Range field against a representation's length (RFC 9110 section 14.1.2).
enum ByteRangeSet {
  /// What the client's ranges come to. One range allocates nothing: the list is made when a second one is met.
  ///
  /// - Parameter limit: the most ranges that are served in parts; with more the answer is whole, which is always
  ///   allowed (section 14.2) and costs less than many small parts (section 17.15).
  static func select(_ value: UnsafeRawBufferPointer, of representation: Representation, limit: Int) -> Selection {
    guard value.count > 6, Octets.isWord(UnsafeRawBufferPointer(rebasing: value[0..<6]), "bytes=") else {
      return .whole
    }
    var members = ListMembers(UnsafeRawBufferPointer(rebasing: value[6...]))
    var first: Selection?
    var several: [Range<Int>] = []
    while let member = members.next() {
      guard members.count == 1 || members.count <= limit else { return .whole }
      guard let selection = range(member, length: representation.length) else { return .whole }
      // Of an empty representation no more than a suffix of nothing can be asked for, which is all of it.
      if selection == .whole { return .whole }
      guard case .range(let offset, let length) = selection else {
        if first == nil { first = selection }
        continue
      }
      guard case .range(let start, let count)? = first else {
        first = selection
        continue
      }
      if several.isEmpty { several.append(start..<start + count) }
      several.append(offset..<offset + length)
    }
    guard !several.isEmpty else { return first ?? .whole }
    let parts = merged(several)
    if parts.count == 1 { return .range(offset: parts[0].lowerBound, length: parts[0].count) }
    // Whose Content-Encoding it would be, the parts' or that of all of them, is not certain.
    return representation.isEncoded ? .whole : .parts(MultipartBody(parts, of: representation))
  }

  /// Joins ranges that overlap or touch. What is left keeps the order in which it was asked for (section 15.3.7.2).
  static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [(place: Int, range: Range<Int>)] = []
    for (place, range) in ranges.enumerated().sorted(by: { $0.element.lowerBound < $1.element.lowerBound }) {
      guard let last = joined.last, range.lowerBound <= last.range.upperBound else {
        joined.append((place, range))
        continue
      }
      let end = max(last.range.upperBound, range.upperBound)
      joined[joined.count - 1] = (min(last.place, place), last.range.lowerBound..<end)
    }
    return joined.sorted { $0.place < $1.place }.map(\.range)
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
