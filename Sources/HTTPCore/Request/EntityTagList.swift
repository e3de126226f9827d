/// Walks over the entity tags of an If-Match or If-None-Match field (RFC 9110 section 8.8.3). It is the one reader of
/// them, for downloads and for the API.
package struct EntityTagList {
  /// One tag: what stands between the quotes, with them.
  struct Tag {
    var quoted: UnsafeRawBufferPointer
    var isWeak: Bool
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The next tag; nil at the end, and at the first thing that is no tag, behind which nothing can be trusted.
  mutating func next() -> Tag? {
    while position < bytes.count, bytes[position] == 0x2C || Octets.isBlank(bytes[position]) { position += 1 }
    var start = position
    var isWeak = false
    if position + 1 < bytes.count, bytes[position] == 0x57, bytes[position + 1] == 0x2F {
      isWeak = true
      start += 2
    }
    guard start < bytes.count, bytes[start] == 0x22 else { return stop() }
    var end = start + 1
    while end < bytes.count, bytes[end] != 0x22 {
      guard bytes[end] > 0x20, bytes[end] != 0x7F else { return stop() }
      end += 1
    }
    guard end < bytes.count else { return stop() }
    position = end + 1
    var after = position
    while after < bytes.count, Octets.isBlank(bytes[after]) { after += 1 }
    guard after == bytes.count || bytes[after] == 0x2C else { return stop() }
    return Tag(quoted: UnsafeRawBufferPointer(rebasing: bytes[start...end]), isWeak: isWeak)
  }

  private mutating func stop() -> Tag? {
    position = bytes.count
    return nil
  }

  /// Whether the value is `*`, which stands for whatever there is.
  static func isAny(_ value: UnsafeRawBufferPointer) -> Bool {
    let value = Octets.trimmed(value)
    return value.count == 1 && value.first == 0x2A
  }

  /// Whether one of the tags in `value` is `tag`, which has its quotes. Strong comparison takes no weak tags (RFC 9110
  /// section 8.8.3.2).
  static func names(_ tag: UnsafeRawBufferPointer, in value: UnsafeRawBufferPointer, weakly: Bool) -> Bool {
    var list = EntityTagList(value)
    while let candidate = list.next() {
      if (weakly || !candidate.isWeak) && Octets.same(candidate.quoted, tag) { return true }
    }
    return false
  }

  /// Whether the only field of that name is `*` or has `tag` among its tags; an empty `tag` is none.
  package static func matches(_ tag: String, field: String, weakly: Bool) -> Bool {
    var (tag, field) = (tag, field)
    return tag.withUTF8 { tag in
      field.withUTF8 { field in
        let value = UnsafeRawBufferPointer(field)
        return isAny(value) || names(UnsafeRawBufferPointer(tag), in: value, weakly: weakly)
      }
    }
  }

  /// Whether the value is exactly one tag, and which.
  static func single(_ value: UnsafeRawBufferPointer) -> Tag? {
    guard value.first == 0x22 || value.first == 0x57 else { return nil }
    var list = EntityTagList(value)
    guard let tag = list.next(), tag.quoted.count + (tag.isWeak ? 2 : 0) == value.count else { return nil }
    return tag
  }
}
